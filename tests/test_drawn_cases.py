"""Cases drawn from a generator: the same everywhere, replayable, shown small when they fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from conftest import seed_spec

from grader import Grader, Problem
from grader.spec import find_faults

MakeProblem = Callable[..., Problem]

MEAN = "def f(x):\n    return sum(x) / len(x)\n"
GENERATE = """
def generate(rng, index, size=None):
    n = size or int(rng.integers(20, 40))
    return {"x": rng.normal(size=n).tolist()}
"""


@pytest.fixture
def drawn(make_problem: MakeProblem) -> Problem:
    """The mean of a list: one declared case of one number, three drawn ones."""
    return make_problem(
        MEAN,
        {"one": {"raw_inputs": {"x": "[2.0]"}}},
        generated_cases={"code": GENERATE, "count": 3, "seed": 5},
    )


def test_drawn_cases_follow_the_declared_ones_and_are_hidden(
    grader: Grader, drawn: Problem
) -> None:
    """A learner cannot write down what nobody wrote down."""
    report = grader.grade(drawn, MEAN)
    assert report.verdict == "accepted"
    names = ["one", "generated 0", "generated 1", "generated 2"]
    assert [case.case_name for case in report.cases] == names
    assert [case.hidden for case in report.cases] == [False, True, True, True]
    assert report.cases[2].generated == {"index": 1, "seed": 5, "size": None}
    assert report.cases[2].input is None


def test_a_failing_drawn_case_is_shown_at_its_smallest_size(grader: Grader, drawn: Problem) -> None:
    """Forty numbers explain less than two."""
    report = grader.grade(drawn, "def f(x):\n    return sorted(x)[len(x) // 2]\n")
    first = report.cases[1]
    assert report.verdict == first.verdict == "wrong_answer"
    assert first.generated == {"index": 0, "seed": 5, "size": 2}
    assert first.input == grader.case_inputs(drawn, 1, size=2)
    assert len(eval(first.input["x"])) == 2
    assert report.cases[2].input is None


def test_without_a_size_the_case_itself_is_shown(grader: Grader, make_problem: MakeProblem) -> None:
    """Not every generator can draw smaller cases."""
    code = "def generate(rng, index):\n    return {'x': [1.0, 2.0, float(index)]}\n"
    problem = make_problem(MEAN, {"one": {"raw_inputs": {"x": "[2.0]"}}},
                           generated_cases={"code": code, "count": 2, "seed": 0})  # fmt: skip
    report = grader.grade(problem, "def f(x):\n    return x[0]\n")
    assert report.verdict == "accepted" or report.cases[2].verdict == "wrong_answer"
    shown = grader.grade(problem, "def f(x):\n    return x[1]\n")
    assert shown.cases[0].verdict == "runtime_error"
    assert grader.case_inputs(problem, 2) == {"x": "[1.0, 2.0, 1.0]"}


def test_making_a_failure_small_takes_no_longer_than_one_limit(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """A submission that fails at once and then sleeps is waited for once, not at every size."""
    problem = make_problem(MEAN, {"one": {"raw_inputs": {"x": "[2.0]"}}}, time_limit=0.1,
                           generated_cases={"code": GENERATE, "count": 1, "seed": 5})  # fmt: skip
    source = (
        "import time\ndef f(x):\n    time.sleep(60 if 1 < len(x) < 20 else 0)\n"
        "    return x[0] if len(x) > 1 else sum(x)\n"
    )
    report = grader.grade(problem, source)
    assert report.cases[1].verdict == "wrong_answer"
    assert report.cases[1].generated == {"index": 0, "seed": 5, "size": None}
    assert report.usage.wall_ms < 2 * 1000 * report.limits.wall_limit_s


def test_draws_are_the_same_in_every_grader(drawn: Problem, grader: Grader) -> None:
    """They come from slug, seed and index alone."""
    with Grader() as other:
        assert other.case_inputs(drawn, 1) == grader.case_inputs(drawn, 1)
    first = grader.case_inputs(drawn, 1)["x"]
    assert first.startswith("[0.5788")  # PCG64 by SHA-256; changes only if the rule does


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def generate(rng, index):\n    return 1 / 0\n", "ZeroDivisionError at line 2"),
        ("def generate(rng, index):\n    return [1]\n", "must return a dict"),
        ("def generate(rng, index):\n    return {'y': 1}\n", "do not fit the signature"),
        ("def generate(rng, index):\n    return {'x': []}\n", "the reference raises ZeroDivision"),
    ],
)
def test_a_faulty_generator_is_the_problems_fault(
    code: str, said: str, grader: Grader, make_problem: MakeProblem
) -> None:
    """Told with its place, and never held against a learner."""
    problem = make_problem(MEAN, {"one": {"raw_inputs": {"x": "[2.0]"}}},
                           generated_cases={"code": code, "count": 1, "seed": 0})  # fmt: skip
    (path, message), *_ = grader.dry_run(problem)
    assert path == "$.generated_cases.code"
    assert said in message
    report = grader.grade(problem, MEAN)
    assert report.verdict == "internal_error"
    assert said in report.message


@pytest.mark.parametrize("index", [0, 2])
def test_a_name_of_a_drawn_case_cannot_be_declared(index: int) -> None:
    """Two cases of one name could not be told apart."""
    raw: dict[str, Any] = seed_spec()
    raw.pop("test_code", None)
    raw["generated_cases"] = {"code": GENERATE, "count": 3, "seed": 0}
    raw["test_cases"][0]["name"] = f"generated {index}"
    _, findings = find_faults("x.json", json.dumps(raw))
    assert f'the name "generated {index}" is taken by a generated case' in str(findings[0])
