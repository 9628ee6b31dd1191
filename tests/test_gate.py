"""The author's gate: each thing that can be wrong with a problem, and nothing else, is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from sound_problem import (
    ACCEPTED,
    CASES,
    EMPTY,
    GENERATE,
    REFERENCE,
    STATEMENT,
    WRONG,
    sound_piece,
    sound_spec,
)

from grader import Grader
from grader.authoring import strength
from grader.authoring.findings import Check, Inspection, Level
from grader.authoring.folders import unpack
from grader.authoring.gate import inspect
from grader.authoring.mutants import Mutant, mutants_of
from grader.authoring.strength import Trial, weigh
from grader.authoring.workshop import Workpiece, open_workpiece
from grader.report import Report, Verdict

# Check, where, and a part of the message.
Said = tuple[Check, str, str]

REFERENCE_LINE = "return scale * sum(v**2 for v in x) / len(x) + 0.5"


def said(inspection: Inspection, level: Level) -> list[tuple[Check, str]]:
    """Check and place of each finding of a level."""
    return [(each.check, each.where) for each in inspection.findings if each.level is level]


@pytest.fixture
def one_mutant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one mutant tried, and one wanted: thirty would tell no more of what is not a mutant."""

    def only_return(reference: str) -> list[Mutant]:
        return [mutant for mutant in mutants_of(reference) if mutant.kind == "Return"]

    monkeypatch.setattr(strength, "mutants_of", only_return)
    monkeypatch.setattr(strength, "WANTED_MUTANTS", 1)


def toy(reference: str, inputs: list[str], **fields: Any) -> Workpiece:
    """A problem of eight declared cases whose solutions are beyond reproach."""
    assert len(inputs) == 8
    return sound_piece(
        accepted={"again.py": reference, "once_more.py": reference + "\n"},
        wrong={f"{n}.py": f"def f(x):\n    return 'wrong {n}'\n" for n in range(5)},
        **{
            "reference_code": reference,
            "description_md": "A toy.",
            "test_cases": [
                {"name": f"case {n}", "raw_inputs": {"x": x}, "hidden": n > 1}
                for n, x in enumerate(inputs)
            ],
            "generated_cases": None,
            "forbidden_modules": None,
            "translations": None,
            **fields,
        },
    )


def more_cases(**cases: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sound cases, and hidden ones by name."""
    return [
        {"name": name, **case, **({"hidden": True} if name in cases else {})}
        for name, case in (CASES | cases).items()
    ]


def changed_vi(**texts: Any) -> dict[str, Any]:
    """Translations in which some texts are others; None leaves one out."""
    vi = sound_spec()["translations"]["vi"] | texts
    return {"vi": {name: text for name, text in vi.items() if text is not None}}


# --- the sound problem ----------------------------------------------------------------------


def test_the_sound_problem_has_no_findings(grader: Grader) -> None:
    """Else no test below proves anything."""
    inspection = inspect(grader, sound_piece())
    assert inspection.findings == []
    assert inspection.passes
    assert (inspection.declared, inspection.drawn) == (6, 4)
    assert (inspection.accepted, inspection.wrong) == (2, 5)
    assert (inspection.mutants, inspection.killed, inspection.equivalent) == (33, 33, 0)
    assert inspection.score == 1.0


def test_an_inspection_comes_back_from_json() -> None:
    """Kept results are read again."""
    inspection = Inspection("a", declared=8, mutants=3, killed=2, seconds=0.5)
    inspection.error(Check.FORM, "x.json:1", "bad")
    inspection.suggestions = [{"name": "suggested 0"}]
    raw = inspection.to_dict()
    assert raw["score"] == 0.6667
    assert raw["passes"] is False
    assert Inspection.from_dict(raw) == inspection


def test_warnings_do_not_close_the_gate() -> None:
    """An author looks at them; only errors fail."""
    inspection = Inspection("a")
    inspection.warn(Check.CASES, "test_cases", "few")
    assert inspection.passes
    assert inspection.score is None


# --- errors ---------------------------------------------------------------------------------

SQUARE_BY_NUMPY = f"import numpy as np\n\n\n{REFERENCE}".replace(
    "sum(v**2 for v in x) / len(x)", "float(np.mean(np.square(x)))"
)
TEST_CODE = """
for name in list("ab"):
    ok, message, diff = compare_outputs(user_obj([1.0]), ref_obj([1.0]), atol, rtol)
    cases_results.append({"case_name": name, "passed": ok, "message": message, "max_diff": diff})
"""
SEED_EXAMPLE = "A mean.\n\n```python\n# 输入\nx = [1.0, 3.0]\nscale = 2.0\n\n# 输出\n{}\n```\n"
LISTS = [f"[{n}.5, {n}]" for n in range(1, 9)]

ERRORS: dict[str, tuple[Callable[[], Workpiece], Said]] = {
    "reference imports what is banned": (
        lambda: sound_piece(
            reference_code=f"import math\n\n\n{REFERENCE}", forbidden_modules=["math"]
        ),
        (Check.REFERENCE, "reference_code", "forbidden, line 1: `math`"),
    ),
    "reference uses an API that is banned": (
        lambda: sound_piece(reference_code=SQUARE_BY_NUMPY, forbidden_apis=["numpy.mean"]),
        (Check.REFERENCE, "reference_code", "forbidden, line 7: `numpy.mean`"),
    ),
    "twin differs": (
        lambda: sound_piece(twin=REFERENCE + "\n"),
        (Check.FORM, "solution.py", "differs from reference_code"),
    ),
    "empty twin": (
        lambda: sound_piece(twin=""),
        (Check.FORM, "solution.py", "differs from reference_code"),
    ),
    "inputs that raise": (
        lambda: sound_piece(test_cases=more_cases(bad={"raw_inputs": {"x": "[1 / 0]"}})),
        (Check.RUN, "$.test_cases[6].raw_inputs.x", "raises ZeroDivisionError"),
    ),
    "generator that raises": (
        lambda: sound_piece(
            generated_cases={"code": f"{GENERATE}    return 1\n" + "1 / 0", "count": 2, "seed": 3}
        ),
        (Check.RUN, "$.generated_cases.code", "raises ZeroDivisionError"),
    ),
    "executed cases that are not declared": (
        lambda: sound_piece(
            test_code=TEST_CODE,
            generated_cases=None,
            test_cases=[{"name": "a", "raw_inputs": {"x": "[1.0]"}}],
        ),
        (Check.RUN, "$.test_cases", "'b' is executed but not declared"),
    ),
    "starter that passes a case": (
        lambda: sound_piece(
            starter_code="def f(x):\n    raise ValueError('x must not be empty')\n"
        ),
        (Check.STARTER, "starter_code", "passes 1 cases, 'none' first"),
    ),
    "argument handed back": (
        lambda: toy("def f(x):\n    return list(x)\n", LISTS),
        (Check.LAZY, "test_cases", "an argument handed back would be accepted"),
    ),
    "one constant": (
        lambda: toy("def f(x):\n    return len(x)\n", LISTS),
        (Check.LAZY, "test_cases", "one constant would be accepted everywhere"),
    ),
    "zeros": (
        lambda: toy("def f(x):\n    return sum(x)\n", [*LISTS[:7], "[1e-7]"]),
        (Check.TOLERANCE, "case 7", "zeros would pass"),
    ),
    "a thousandth off": (
        lambda: sound_piece(rtol=2e-3),
        (Check.TOLERANCE, "atol, rtol", "times 1.001 would be accepted; rtol 0.002 is too loose"),
    ),
    "right solution refused": (
        lambda: sound_piece(accepted=ACCEPTED | {"zero.py": "def f(x, scale=1):\n    return 0\n"}),
        (Check.ACCEPTED, "accepted/zero.py", "wrong_answer in 'two'"),
    ),
    "right solution that imports what is banned": (
        lambda: sound_piece(accepted=ACCEPTED | {"os.py": f"import os\n\n\n{REFERENCE}"}),
        (Check.ACCEPTED, "accepted/os.py", "forbidden, line 1"),
    ),
    "one right solution": (
        lambda: sound_piece(accepted={"loop.py": ACCEPTED["loop.py"]}),
        (Check.ACCEPTED, "accepted/", "1 right solutions, 2 wanted at least"),
    ),
    "four wrong solutions": (
        lambda: sound_piece(wrong={n: s for n, s in WRONG.items() if n != "crash.py"}),
        (Check.WRONG, "wrong/", "4 wrong solutions, 5 wanted at least"),
    ),
    "wrong solution accepted": (
        lambda: sound_piece(wrong=WRONG | {"right.py": REFERENCE}),
        (Check.WRONG, "wrong/right.py", "is accepted; no case shows its trap"),
    ),
    "wrong solution with another verdict": (
        lambda: sound_piece(verdicts={"crash.py": "wrong_answer"}),
        (Check.WRONG, "wrong/crash.py", "gets runtime_error, its docstring names wrong_answer"),
    ),
    "ban that does not stop a wrong solution": (
        lambda: sound_piece(forbidden_modules=None),
        (Check.WRONG, "wrong/banned.py", "its docstring names forbidden"),
    ),
    "wrong solution with no verdict": (
        lambda: sound_piece(verdicts={"crash.py": None}),
        (Check.WRONG, "wrong/crash.py", "its docstring names no verdict"),
    ),
    "equivalent mutant that a case sees": (
        lambda: sound_piece(
            equivalent_mutants=[{"before": REFERENCE_LINE, "after": "return None", "reason": "?"}]
        ),
        (Check.EQUIVALENT, f"`{REFERENCE_LINE}` → `return None`", "the case 'two' sees it"),
    ),
    "equivalent mutant that does not exist": (
        lambda: sound_piece(equivalent_mutants=[{"before": "a", "after": "b", "reason": "?"}]),
        (Check.EQUIVALENT, "`a` → `b`", "there is no such mutant"),
    ),
    "example at the prompt": (
        lambda: sound_piece(
            description_md=STATEMENT.replace("\n5.5", "\n5.6"), translations=None
        ),
        (Check.EXAMPLES, "description_md", "`f([1.0, 3.0])` prints 5.5, not 5.6"),
    ),
    "example of an error": (
        lambda: sound_piece(
            description_md=STATEMENT.replace("must not", "may not"), translations=None
        ),
        (Check.EXAMPLES, "description_md", "prints ValueError: x must not be empty, not"),
    ),
    "example that cannot be read": (
        lambda: sound_piece(description_md=STATEMENT.replace(">>> ", ">>>"), translations=None),
        (Check.EXAMPLES, "description_md", "line 1 lacks blank after >>>"),
    ),
    "example in the seed's form": (
        lambda: sound_piece(description_md=SEED_EXAMPLE.format("10.4"), translations=None),
        (Check.EXAMPLES, "description_md", "f(x=[1.0, 3.0], scale=2.0) is not 10.4"),
    ),
    "translation without a title": (
        lambda: sound_piece(translations=changed_vi(title=None)),
        (Check.TRANSLATION, "translations.vi", "title is missing"),
    ),
    "translation without the statement": (
        lambda: sound_piece(translations=changed_vi(description_md=None)),
        (Check.TRANSLATION, "translations.vi", "description_md is missing"),
    ),
    "translation without hints": (
        lambda: sound_piece(translations=changed_vi(hints=[])),
        (Check.TRANSLATION, "translations.vi", "hints is missing"),
    ),
    "translation without the editorial": (
        lambda: sound_piece(translations=changed_vi(editorial_md="")),
        (Check.TRANSLATION, "translations.vi", "editorial_md is missing"),
    ),
    "translation with fewer hints": (
        lambda: sound_piece(translations=changed_vi(hints=["Bình phương trước."])),
        (Check.TRANSLATION, "translations.vi", "1 hints, the main text has 2"),
    ),
    "translation with other examples": (
        lambda: sound_piece(
            translations=changed_vi(description_md=STATEMENT.replace("f([1.0, 3.0])", "f([3.0])"))
        ),
        (Check.TRANSLATION, "translations.vi", "its examples are not those of the main text"),
    ),
    "translation with an example that cannot be read": (
        lambda: sound_piece(
            translations=changed_vi(description_md=STATEMENT.replace(">>> ", ">>>"))
        ),
        (Check.TRANSLATION, "translations.vi", "line 1 lacks blank after >>>"),
    ),
    "formula in the statement": (
        lambda: sound_piece(description_md=STATEMENT.replace("\\sum", "\\suum")),
        (Check.MATH, "description_md", "\\suum"),
    ),
    "formula in a hint": (
        lambda: sound_piece(hints=["Square first.", "Divide by $\\frac{n$."]),
        (Check.MATH, "hints[1]", "\\frac{n"),
    ),
    "formula in the editorial": (
        lambda: sound_piece(editorial_md="In $\\Oh(n)$.\n"),
        (Check.MATH, "editorial_md", "\\Oh(n)"),
    ),
    "formula in a translated hint": (
        lambda: sound_piece(translations=changed_vi(hints=["$\\bnh$", "Chia."])),
        (Check.MATH, "translations.vi.hints[0]", "\\bnh"),
    ),
}  # fmt: skip


@pytest.mark.usefixtures("one_mutant")
@pytest.mark.parametrize(("make", "expected"), ERRORS.values(), ids=ERRORS)
def test_what_is_wrong_is_the_one_error(
    make: Callable[[], Workpiece], expected: Said, grader: Grader
) -> None:
    """An author who mends what is told is done."""
    check, where, words = expected
    inspection = inspect(grader, make())
    assert said(inspection, Level.ERROR) == [(check, where)]
    (message,) = (f.message for f in inspection.findings if f.level is Level.ERROR)
    assert words in message
    assert not inspection.passes


SINGLES = [f"torch.tensor([{n}.0, 0.3])" for n in range(1, 9)]
THIRD = "def f(x):\n    return (x / 3).tolist()\n"


@pytest.mark.usefixtures("one_mutant")
def test_a_tolerance_tighter_than_float32_is_told_for_each_case(grader: Grader) -> None:
    """Who computes more exactly than the reference would be refused."""
    inspection = inspect(grader, toy(THIRD, SINGLES, rtol=1e-12, atol=0.0))
    assert said(inspection, Level.ERROR) == [
        (Check.TOLERANCE, f"case {number}") for number in range(8)
    ]
    assert "double precision would be refused; propose rtol 1e-06" in str(inspection.findings)


def test_a_spec_with_faults_is_told_with_file_and_line(grader: Grader, tmp_path: Path) -> None:
    """Nothing else can be looked at then."""
    unpack(sound_spec(), tmp_path)
    (tmp_path / "reference.py").write_text("def f(:\n")
    inspection = inspect(grader, open_workpiece(tmp_path))
    assert said(inspection, Level.ERROR) == [(Check.FORM, f"{tmp_path}/reference.py:1")]
    assert "$.reference_code" in inspection.findings[0].message


# --- warnings -------------------------------------------------------------------------------

NOT_A_LIST = {"raw_inputs": {"x": "None"}, "expect_error": {"type": "Exception"}}
NAN = {"raw_inputs": {"x": "[math.nan, 1.0]"}}

WARNINGS: dict[str, tuple[Callable[[], Workpiece], Said]] = {
    "seven cases": (
        lambda: sound_piece(test_cases=more_cases()[:-3]),
        (Check.CASES, "test_cases", "7 cases, 8 to 20 are usual"),
    ),
    "twenty-one cases": (
        lambda: sound_piece(generated_cases={"code": GENERATE, "count": 15, "seed": 3}),
        (Check.CASES, "test_cases", "21 cases, 8 to 20 are usual"),
    ),
    "nothing drawn": (
        lambda: sound_piece(
            generated_cases=None,
            test_cases=more_cases(
                five={"raw_inputs": {"x": "[1.0, 2.0, 4.0, 8.0, 3.0]"}},
                six={"raw_inputs": {"x": "[6.0, 2.0, 4.0, 8.0, 3.0, 7.0]", "scale": "3.0"}},
            ),
        ),
        (Check.CASES, "generated_cases", "0 of 8 cases, at least a third is usual"),
    ),
    "too few drawn": (
        lambda: sound_piece(generated_cases={"code": GENERATE, "count": 2, "seed": 3}),
        (Check.CASES, "generated_cases", "2 of 8 cases, at least a third is usual"),
    ),
    "nothing shown": (
        lambda: sound_piece(test_cases=[{**c, "hidden": True} for c in more_cases()]),
        (Check.CASES, "test_cases", "0 shown cases, 2 or 3 are usual"),
    ),
    "six shown": (
        lambda: sound_piece(test_cases=[{**c, "hidden": False} for c in more_cases()]),
        (Check.CASES, "test_cases", "6 shown cases, 2 or 3 are usual"),
    ),
    "idle case": (
        lambda: sound_piece(test_cases=more_cases(idle=NOT_A_LIST)),
        (Check.CASES, "idle", "fails no mutant and no wrong solution"),
    ),
    "NaN unspoken of": (
        lambda: sound_piece(test_cases=more_cases(nan=NAN)),
        (Check.TOLERANCE, "nan", "the reference returns NaN; the statement is silent"),
    ),
    "no example": (
        lambda: sound_piece(description_md="A mean.\n", translations=None),
        (Check.EXAMPLES, "description_md", "no example in the form `>>> f(...)`"),
    ),
}


@pytest.mark.usefixtures("one_mutant")
@pytest.mark.parametrize(("make", "expected"), WARNINGS.values(), ids=WARNINGS)
def test_what_to_look_at_is_the_one_finding(
    make: Callable[[], Workpiece], expected: Said, grader: Grader
) -> None:
    """A gate that cries without need is not listened to."""
    check, where, words = expected
    inspection = inspect(grader, make())
    assert [(f.level, f.check, f.where) for f in inspection.findings] == [
        (Level.WARNING, check, where)
    ]
    assert words in inspection.findings[0].message
    assert inspection.passes


@pytest.mark.usefixtures("one_mutant")
def test_a_tolerance_far_looser_than_float32_is_told(grader: Grader) -> None:
    """It hides errors of method behind those of rounding."""
    inspection = inspect(grader, toy(THIRD, SINGLES, rtol=5e-4))
    assert inspection.passes
    assert (Check.TOLERANCE, "rtol") in said(inspection, Level.WARNING)
    assert "0.0005 where float32 and float64 differ by" in str(inspection.findings)
    assert "propose 1e-06" in str(inspection.findings)


# --- what is no fault -----------------------------------------------------------------------

MIXED = "import torch\n\n\ndef f(x):\n    return (x @ torch.ones(2, 2)).tolist()\n"
RIGHT: dict[str, Callable[[], Workpiece]] = {
    "NaN spoken of": lambda: sound_piece(
        description_md=f"{STATEMENT}\nNaN stays NaN.\n", test_cases=more_cases(nan=NAN)
    ),
    "example in the seed's form": lambda: sound_piece(
        description_md=SEED_EXAMPLE.format("10.5"), translations=None
    ),
    "twin the same": lambda: sound_piece(twin=REFERENCE),
    "error of the case alone": lambda: sound_piece(
        test_cases=more_cases(again={"raw_inputs": {"x": "[]"}, "expect_error": EMPTY})
    ),
}


@pytest.mark.usefixtures("one_mutant")
@pytest.mark.parametrize("make", RIGHT.values(), ids=RIGHT)
def test_what_is_right_has_no_findings(make: Callable[[], Workpiece], grader: Grader) -> None:
    """The other side of the checks above."""
    assert inspect(grader, make()).findings == []


@pytest.mark.usefixtures("one_mutant")
@pytest.mark.parametrize(
    ("reference", "inputs"),
    [(MIXED, SINGLES), ("def f(x):\n    return x**400\n", [f"{n}0" for n in range(1, 9)])],
    ids=["takes float32 alone", "an int that no double holds"],
)
def test_a_result_that_cannot_be_studied_is_no_error(
    reference: str, inputs: list[str], grader: Grader
) -> None:
    """It ended the referee once, and the whole check with it."""
    assert said(inspect(grader, toy(reference, inputs)), Level.ERROR) == []


# --- cost -----------------------------------------------------------------------------------


@dataclass
class Costly:
    """A grader in whose reports the last case of the reference takes so much."""

    real: Grader
    cpu_ms: float = 1.0
    memory_mb: float = 1.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def grade(self, problem: Any, source: Any, **options: Any) -> Report:
        """Judge, and add the cost."""
        report = self.real.grade(problem, source, **options)
        cases = [replace(case, cpu_ms=1.0, memory_mb=1.0) for case in report.cases]
        cases[-1] = replace(cases[-1], cpu_ms=self.cpu_ms, memory_mb=self.memory_mb)
        return replace(report, cases=tuple(cases))


@pytest.mark.usefixtures("one_mutant")
@pytest.mark.parametrize(
    ("cost", "limit_s", "words"),
    [
        ({"cpu_ms": 401.0}, 2.0, "401 ms of CPU time, the limit is 2 s: less than 5 times that"),
        ({"cpu_ms": 400.0}, 2.0, None),
        ({"cpu_ms": 51.0}, 0.25, "51 ms of CPU time, the limit is 0.25 s"),
        ({"cpu_ms": 50.0}, 0.1, None),  # a slower machine's hiccup
        ({"memory_mb": 52.0}, 2.0, "52 MiB, the limit is 256 MiB: less than 5 times that"),
        ({"memory_mb": 51.2}, 2.0, None),
    ],
)
def test_limits_leave_five_times_what_the_reference_takes(
    cost: dict[str, float], limit_s: float, words: str | None, grader: Grader
) -> None:
    """A right solution in a slower style, or on a slower machine, must fit too."""
    costly: Any = Costly(grader, **cost)
    findings = inspect(costly, sound_piece(time_limit=limit_s)).findings
    if words is None:
        assert findings == []
    else:
        (finding,) = findings
        assert (finding.check, finding.level) == (Check.COST, Level.WARNING)
        assert finding.where == "generated 3"
        assert words in finding.message


# --- mutants --------------------------------------------------------------------------------


def test_cases_that_let_mutants_live_fail_the_gate(grader: Grader) -> None:
    """Of a list of ones nobody sees whether it was squared."""
    piece = sound_piece(
        test_cases=[
            {"name": f"ones {n}", "raw_inputs": {"x": str([1.0] * n)}, "hidden": n > 2}
            for n in range(1, 10)
        ],
        generated_cases=None,
        description_md="A mean.\n",
        translations=None,
        wrong={f"{n}.py": f"def f(x, scale=1.0):\n    return {n}\n" for n in range(5)},
    )
    inspection = inspect(grader, piece)
    errors = [each for each in inspection.findings if each.check is Check.MUTANTS]
    assert (inspection.mutants, inspection.killed) == (33, 27)
    assert errors[0].where == "test_cases"
    assert "27 of 33 mutants are told from the reference (82%), 90% wanted" in errors[0].message
    assert errors[1].where == "reference line 2"
    assert errors[1].message == "no case sees the mutant `if len(x) < 1:` → `if False:`"
    assert {each.level for each in errors} == {Level.ERROR}


@pytest.fixture(scope="module")
def trials(grader: Grader) -> list[Trial]:
    """Trials of the sound problem's mutants, in all of which the mutant lives."""
    problem = sound_piece().problem
    assert problem is not None
    report = grader.grade(problem, REFERENCE)
    return [Trial(mutant, report) for mutant in mutants_of(REFERENCE)]


def _killed(trial: Trial, verdict: Verdict = Verdict.WRONG_ANSWER) -> Trial:
    cases = tuple(replace(case, verdict=verdict) for case in trial.report.cases)
    return Trial(trial.mutant, replace(trial.report, verdict=verdict, cases=cases, message="why"))


def _weighed(trials: list[Trial], **fields: Any) -> Inspection:
    problem = sound_piece(**fields).problem
    assert problem is not None
    inspection = Inspection(problem.slug)
    weigh(problem, trials, inspection)
    return inspection


@pytest.mark.parametrize(
    ("killed", "level"), [(30, Level.WARNING), (29, Level.ERROR)], ids=["91%", "88%"]
)
def test_survivors_are_errors_below_nine_in_ten(
    killed: int, level: Level, trials: list[Trial]
) -> None:
    """Above, the author looks at them one by one."""
    mixed = [_killed(trial) for trial in trials[:killed]] + trials[killed:]
    inspection = _weighed(mixed)
    assert (inspection.mutants, inspection.killed) == (33, killed)
    survivors = [f for f in inspection.findings if "no case sees the mutant" in f.message]
    assert [each.level for each in survivors] == [level] * (33 - killed)
    assert inspection.passes is (level is Level.WARNING)


def test_of_many_survivors_a_dozen_is_told(trials: list[Trial]) -> None:
    """A list without end is not read."""
    messages = [each.message for each in _weighed(trials).findings]
    assert sum("no case sees the mutant" in message for message in messages) == 12
    assert messages[-1] == "21 more mutants live"


def test_few_mutants_are_told(trials: list[Trial]) -> None:
    """A score of three mutants says little."""
    (finding,) = _weighed([_killed(trial) for trial in trials[:29]]).findings
    assert (finding.level, finding.check) == (Level.WARNING, Check.MUTANTS)
    assert finding.message == "only 29 mutants; it has room for no more"


def test_an_equivalent_mutant_is_left_out_of_the_score(trials: list[Trial]) -> None:
    """With its reason it is no gap in the cases."""
    mutant = trials[0].mutant
    listed = [{"before": mutant.before, "after": mutant.after, "reason": "the same"}]
    inspection = _weighed([trials[0], *map(_killed, trials[1:])], equivalent_mutants=listed)
    assert inspection.findings == []
    assert (inspection.mutants, inspection.killed, inspection.equivalent) == (32, 32, 1)


def test_an_equivalent_mutant_that_does_not_load_is_told(trials: list[Trial]) -> None:
    """No case was run that could be named."""
    mutant = trials[0].mutant
    listed = [{"before": mutant.before, "after": mutant.after, "reason": "the same"}]
    killed = [_killed(trial) for trial in trials]
    killed[0] = Trial(mutant, _killed(trials[0], Verdict.SKIPPED).report)
    (finding,) = _weighed(killed, equivalent_mutants=listed).findings
    assert finding.check is Check.EQUIVALENT
    assert finding.message == "listed as equivalent, but it does not even load"


def test_a_mutant_that_the_grader_fails_to_judge_is_an_error(trials: list[Trial]) -> None:
    """It was neither killed nor did it live."""
    killed = [_killed(trial) for trial in trials]
    killed[5] = _killed(trials[5], Verdict.INTERNAL_ERROR)
    (finding,) = _weighed(killed).findings
    assert (finding.level, finding.check) == (Level.ERROR, Check.RUN)
    assert finding.message == "why"


def test_a_case_that_was_not_run_is_not_busy(trials: list[Trial]) -> None:
    """A solution refused before it runs tells nothing of any case."""
    problem = sound_piece().problem
    assert problem is not None
    skipped = _killed(trials[0], Verdict.SKIPPED).report
    assert strength.idle_cases(problem, [skipped]) == list(CASES)


def test_a_mutant_that_every_case_kills_keeps_none_busy(trials: list[Trial]) -> None:
    """`return None` fails them all, the needed and the idle."""
    problem = sound_piece().problem
    assert problem is not None
    first, *others = problem.cases
    all_fail = _killed(trials[0]).report
    assert strength.idle_cases(problem, [all_fail]) == list(CASES)
    passed = replace(all_fail.cases[0], case_name="another", verdict=Verdict.ACCEPTED)
    one_fails = replace(all_fail, cases=(replace(all_fail.cases[0], case_name=first.name), passed))
    declared = [case.name for case in others if case.drawn is None]
    assert strength.idle_cases(problem, [one_fails]) == declared


# --- the workbench --------------------------------------------------------------------------


def _packed(folder: Path) -> Path:
    """Write the sound problem as a bundle has it, with its solutions beside it."""
    from grader.spec import to_canonical_json

    path = folder / "problems" / "mean-square.json"
    beside = folder / "reference" / "mean_square"
    for kind, sources in (("accepted", ACCEPTED), ("wrong", WRONG)):
        (beside / kind).mkdir(parents=True)
        for name, source in sources.items():
            (beside / kind / name).write_text(source)
    (beside / "solution.py").write_text(REFERENCE)
    path.parent.mkdir()
    path.write_text(to_canonical_json(sound_spec()), "utf-8")
    return path


def test_a_packed_problem_is_read_with_what_lies_beside_it(tmp_path: Path) -> None:
    """Solutions and twin are under `reference/<slug_>`."""
    piece = open_workpiece(_packed(tmp_path))
    assert piece.slug == "mean-square"
    assert [each.name for each in piece.accepted] == ["loop.py", "numpy.py"]
    assert {each.name: each.verdict for each in piece.wrong} == {
        "banned.py": "forbidden",
        "crash.py": "runtime_error",
        "half_left_out.py": "wrong_answer",
        "no_error.py": "wrong_answer",
        "scale_left_out.py": "wrong_answer",
    }
    assert piece.twin == REFERENCE


def test_an_unpacked_folder_is_the_same_problem(tmp_path: Path) -> None:
    """What people edit is checked as what the bundle will hold."""
    packed = open_workpiece(_packed(tmp_path))
    unpack(sound_spec(), tmp_path / "work", tmp_path / "reference" / "mean_square")
    assert open_workpiece(tmp_path / "work") == replace(packed, twin=None)


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ('"""Trap: t.\n\nVerdict: wrong_answer.\n"""\n', "wrong_answer"),
        ('"""Verdict: runtime_error"""\n', "runtime_error"),
        ('"""The verdict: wrong_answer."""\n', None),
        ("# Verdict: wrong_answer.\n", None),
        ("def f(:\n", None),
        ("x = '\0'\n", None),
    ],
)
def test_a_docstring_names_the_verdict(source: str, verdict: str | None, tmp_path: Path) -> None:
    """On a line of its own; a comment or a file that does not parse names none."""
    _packed(tmp_path)
    (tmp_path / "reference" / "mean_square" / "wrong" / "a.py").write_text(source)
    piece = open_workpiece(tmp_path / "problems" / "mean-square.json")
    assert piece.wrong[0].verdict == verdict


def test_every_check_has_a_test() -> None:
    """A check that nothing triggers may not work."""
    tabled = {check for _, (check, _, _) in (*ERRORS.values(), *WARNINGS.values())}
    assert set(Check) - tabled == {Check.MUTANTS, Check.COST}  # which have tests of their own
