"""Mutants of a reference: what each mutator writes, and what none of them touches."""

from __future__ import annotations

import ast

import pytest
from conftest import SEED_SLUG

from grader.authoring.mutants import Mutant, mutants_of
from grader.spec import load_problem


def within(body: str, kind: str) -> list[str]:
    """What the mutants of a kind make of one line in a function."""
    made = mutants_of(f"def f(x, y):\n    {body}\n")
    return [mutant.after for mutant in made if mutant.kind == kind]


@pytest.mark.parametrize(
    ("kind", "body", "after"),
    [
        # Axes, reductions, dtypes: one word for another.
        ("name swapped", "return x.mean(1)", ["return (x.sum)(1)"]),
        ("name swapped", "return max(x)", ["return min(x)"]),
        ("name swapped", "y.add_(x)", ["(y.sub_)(x)"]),
        ("name swapped", "return torch.float64", ["return (torch.float32)"]),
        ("name swapped", "return x.prod()", []),
        ("keyword changed", "return g(x, dim=0)", ["return g(x)", "return g(x, dim=1)"]),
        ("keyword changed", "return g(x, dim=2)", ["return g(x)", "return g(x, dim=0)"]),
        ("keyword changed", "return g(x, axis=-1)", ["return g(x)", "return g(x, axis=0)"]),
        (
            "keyword changed",
            "return g(x, keepdim=True)",
            ["return g(x)", "return g(x, keepdim=False)"],
        ),
        ("keyword changed", "return g(x, ddof=1)", ["return g(x)"]),
        ("keyword changed", "return g(x, name=1)", []),
        # Order.
        ("order swapped", "return g(x, y, 3)", ["return g(y, x, 3)"]),
        ("order swapped", "return g(x, x)", []),
        ("order swapped", "return x, y", ["return (y, x)"]),
        ("order swapped", "return x[0, y]", ["return (x[y, 0])"]),
        # What is easily forgotten.
        ("call dropped", "return x.detach()", ["return x"]),
        ("call dropped", "return torch.sqrt(x)", ["return x"]),
        ("call dropped", "return sorted(x)", ["return x"]),
        ("call dropped", "return x.T", ["return x"]),
        ("call dropped", "return x.mean()", []),
        ("term dropped", "return x + y", ["return x", "return y"]),
        ("term dropped", "return 1e-8 + y", ["return 1e-08"]),
        ("term dropped", "return x * y", ["return x"]),
        ("term dropped", "return x**2", ["return x"]),
        ("term dropped", "return x and y", ["return x", "return y"]),
        ("statement dropped", "y.append(x)", ["pass"]),
        ("statement dropped", "x[0] = 1", ["pass"]),
        ("statement dropped", "x += 1", ["pass"]),
        ("statement dropped", "x = 1", []),
        # Conditions and loops.
        ("condition decided", "return x if y else 0", ["return 0", "return x"]),
        ("condition decided", "return [v for v in x if v]", ["return [v for v in x if True]"]),
        ("loop shortened", "return range(x)", ["return range(1, x)", "return range(x - 1)"]),
        ("loop shortened", "return range(x, y)", ["return range(x, y - 1)"]),
        ("loop shortened", "return len(x)", ["return (len(x) - 1)"]),
        ("loop shortened", "return enumerate(x)", ["return enumerate(x, 1)"]),
        ("loop shortened", "return x[1:]", ["return x[:]"]),
        ("loop shortened", "return x[:y]", ["return x[:]", "return x[:y - 1]"]),
        ("loop shortened", "return x[::2]", []),
        # The library's.
        ("BinOp", "return x + y", ["return x * y", "return x - y"]),
        ("BinOp", "return g(x * (x + y))", ["return g(x + (x + y))", "return g(x / (x + y))",
                                            "return g(x * (x * y))", "return g(x * (x - y))"]),
        ("AugAssign", "x += y", ["x *= y", "x -= y", "x = y"]),
        ("UnaryOp", "return -x", ["return +x"]),
        ("UnaryOp", "return not x", ["return x"]),
        ("Compare", "return x < y", ["return x <= y", "return x >= y"]),
        ("Compare", "return not x == y", ["return not x != y"]),
        ("Keyword", "return g(True)", ["return g(False)"]),
        ("Number", "return x[3]", ["return x[2]", "return x[4]"]),
        ("Number", "return x / 0.5", ["return x / 0.25", "return x / 1.0"]),
        ("FuncCall", "return 1 + g(h(x))", ["return 1 + None"]),
        ("Return", "return x", ["return None"]),
    ],
)  # fmt: skip
def test_what_a_mutator_makes_of_a_line(kind: str, body: str, after: list[str]) -> None:
    """Each is a mistake that someone makes; a mutant that cannot be written proves nothing."""
    assert sorted(within(body, kind)) == sorted(after)


BLOCKS = {
    "if": ("if x:\n        return y", ["if False:", "if True:"]),
    "elif": (
        "if x:\n        y = 1\n    elif y:\n        y = 2\n    return y",
        ["if False:", "if True:", "elif False:", "elif True:"],
    ),
}


@pytest.mark.parametrize(("body", "after"), BLOCKS.values(), ids=BLOCKS)
def test_a_branch_is_always_or_never_taken(body: str, after: list[str]) -> None:
    """A check left out, or made for every input."""
    assert within(body, "condition decided") == after


def test_a_loop_ends_after_its_first_round() -> None:
    """The break stands where the body's last statement does."""
    (mutant,) = (
        each
        for each in mutants_of("def f(x, y):\n    for v in x:\n        y = v\n    return y\n")
        if each.kind == "loop shortened"
    )
    assert mutant.line == 4
    assert mutant.source == (
        "def f(x, y):\n    for v in x:\n        y = v\n        break\n    return y\n"
    )


def test_break_and_continue_change_places() -> None:
    """Or `break` is left out."""
    source = "def f(x):\n    for v in x:\n        if v:\n            {}\n        g(v)\n"
    made = {
        word: [m.after for m in mutants_of(source.format(word)) if m.line == 4]
        for word in ("break", "continue")
    }
    assert made == {"break": ["continue", "pass"], "continue": ["break"]}


def test_a_context_is_left_out_and_its_body_stays() -> None:
    """`torch.no_grad()` goes like this."""
    source = "def f(x):\n    with g():\n        y = x\n        x = y\n    return x\n"
    made = [m.source for m in mutants_of(source) if m.kind == "statement dropped"]
    assert made == ["def f(x):\n    if True:\n        y = x\n        x = y\n    return x\n"]


def test_a_mutant_tells_line_before_and_after() -> None:
    """What an author reads, and lists as equivalent."""
    (mutant,) = mutants_of("def f(x):\n    return x\n")
    assert mutant == Mutant(
        kind="Return",
        line=2,
        before="return x",
        after="return None",
        source="def f(x):\n    return None\n",
    )


UNTOUCHED = '''import numpy as np
from math import pi as π, e


def f(x: "np.ndarray[1, 2]" = None, *, n: int | None = 1) -> tuple[int, 3]:
    """Return 1 + 2 of x[0]."""
    total: dict[str, 4] = x
    "a note of 5"
    if n:
        raise ValueError("at least " + str(6) + f" expected, got {n - 7}")
    return total
'''


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nfrom math import pi as π, e\n",
        '(x: "np.ndarray[1, 2]" = ',
        "n: int | None = ",
        ") -> tuple[int, 3]:",
        '    """Return 1 + 2 of x[0]."""\n',
        "    total: dict[str, 4] = x\n",
        '    "a note of 5"\n',
    ],
)
def test_what_no_case_looks_at_stays(text: str) -> None:
    """Docstrings, annotations and imports: changed, they are no mistake that could be seen."""
    made = mutants_of(UNTOUCHED)
    assert made
    assert all(text in mutant.source for mutant in made)


def test_the_message_of_an_error_stays() -> None:
    """Where its text is promised, a case expects it; the error itself may go."""
    made = mutants_of(UNTOUCHED)
    raising = [mutant.after for mutant in made if mutant.line == 10]
    assert raising == ["raise None"]


def test_positions_are_right_after_characters_of_several_bytes() -> None:
    """The parser counts bytes, an editor characters."""
    made = mutants_of("def f(x):\n    é = '日本'; return x[é] + 1, 'đủ'\n")
    assert {mutant.after for mutant in made} == {
        "é = '日本'; return None",
        "é = '日本'; return ('đủ', x[é] + 1)",
        "é = '日本'; return (x[é]), 'đủ'",
        "é = '日本'; return 1, 'đủ'",
        "é = '日本'; return x[é] * 1, 'đủ'",
        "é = '日本'; return x[é] - 1, 'đủ'",
        "é = '日本'; return x[é] + 0, 'đủ'",
        "é = '日本'; return x[é] + 2, 'đủ'",
    }


def test_a_statement_over_several_lines_is_told_on_one() -> None:
    """Only the lines that changed, without their indentation."""
    source = "def f(x):\n    return g(\n        x,\n        y=x\n        + 1,\n    )\n"
    made = [(m.line, m.before, m.after) for m in mutants_of(source) if m.kind != "Number"]
    assert made == [
        (2, "return g( x, y=x + 1, )", "return None"),
        (4, "y=x + 1,", "y=1,"),
        (4, "y=x + 1,", "y=x,"),
        (4, "y=x + 1,", "y=x * 1,"),
        (4, "y=x + 1,", "y=x - 1,"),
    ]


def test_a_mutant_of_a_nested_operator_keeps_the_brackets() -> None:
    """Else it would be another mistake than the one that is told."""
    source = "def f(x, y):\n    return x * (y + 2) ** 2\n"
    assert "return x * (y - 2) ** 2" in [mutant.after for mutant in mutants_of(source)]
    assert "return x * (y) ** 2" in [mutant.after for mutant in mutants_of(source)]


# Plain arithmetic, a class, and NumPy; all problems would take a second each.
PROBLEMS = (SEED_SLUG, "mini-metric-base", "average-ranks")


@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # `"" is None`
@pytest.mark.parametrize(
    "source",
    [UNTOUCHED, *(load_problem(slug).reference_code for slug in PROBLEMS)],
    ids=["untouched", *PROBLEMS],
)
def test_mutants_compile_and_differ(source: str) -> None:
    """From the reference and from each other, in one place each."""
    made = mutants_of(source)
    shapes = {ast.dump(ast.parse(mutant.source)) for mutant in made}
    assert len(shapes) == len(made)
    assert ast.dump(ast.parse(source)) not in shapes
    for mutant in made:
        compile(mutant.source, "<mutant>", "exec", dont_inherit=True)
        assert mutant.before != mutant.after
        lines = source.splitlines()
        assert mutant.before.startswith(lines[mutant.line - 1].strip())


def test_mutants_come_in_the_order_of_their_places() -> None:
    """An author reads from top to bottom."""
    lines = [mutant.line for mutant in mutants_of(UNTOUCHED)]
    assert lines == sorted(lines)


def test_no_problem_has_more_than_four_hundred() -> None:
    """More would only repeat what these show."""
    source = "def f(x):\n" + "    x = x + 1\n" * 80 + "    return x\n"
    assert len(mutants_of(source)) == 400


def test_what_compiles_to_the_same_is_no_mutant() -> None:
    """`None` for a call that is returned is told once."""
    made = [mutant.after for mutant in mutants_of("def f(x):\n    return g(x)\n")]
    assert made == ["return None"]
