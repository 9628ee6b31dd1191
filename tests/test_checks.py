"""What is checked besides the result: shared memory, and a second call."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader import Grader, Problem

MakeProblem = Callable[..., Problem]
CASES = {
    "tensor": {"raw_inputs": {"x": "torch.arange(4.0)"}},
    "array": {"raw_inputs": {"x": "np.arange(4.0)"}},
    "list": {"raw_inputs": {"x": "[0.0, 1.0]"}},
}
COPY = "import copy\ndef f(x):\n    return copy.deepcopy(x)\n"


@pytest.fixture(scope="module")
def copying(make_problem: MakeProblem) -> Problem:
    """A copy is asked for."""
    return make_problem(COPY, CASES, checks={"no_alias": True})


def test_a_copy_is_accepted(grader: Grader, copying: Problem) -> None:
    """It shares nothing."""
    assert grader.grade(copying, COPY).verdict == "accepted"


@pytest.mark.parametrize(
    ("source", "failing"),
    [
        ("def f(x):\n    return x\n", ["tensor", "array", "list"]),
        ("def f(x):\n    return x[:]\n", ["tensor", "array"]),
        ("def f(x):\n    return x.view(4) if hasattr(x, 'dim') else x[:]\n", ["tensor", "array"]),
        ("import numpy as np, torch\ndef f(x):\n"
         "    return torch.from_numpy(x.numpy()) if hasattr(x, 'dim') else list(x)"
         " if isinstance(x, list) else x.copy()\n", ["tensor"]),
    ],
)  # fmt: skip
def test_a_result_that_shares_memory_is_wrong(
    source: str, failing: list[str], grader: Grader, copying: Problem
) -> None:
    """The same object, a view, the same memory through another library."""
    report = grader.grade(copying, source)
    assert [case.case_name for case in report.cases if not case.passed] == failing
    assert report.cases[0].message.startswith("the result shares memory with the input argument 1")


def test_without_the_check_a_view_will_do(grader: Grader, make_problem: MakeProblem) -> None:
    """It is off unless the contract asks."""
    assert (
        grader.grade(make_problem(COPY, CASES), "def f(x):\n    return x\n").verdict == "accepted"
    )


def test_a_second_call_must_give_the_same(grader: Grader, make_problem: MakeProblem) -> None:
    """State kept between calls shows, seeded randomness does not."""
    problem = make_problem(
        "import torch\ndef f(n):\n    return torch.rand(n)\n",
        {"three": {"raw_inputs": {"n": "3"}}},
        checks={"deterministic": True},
    )
    assert grader.grade(problem, problem.reference_code).verdict == "accepted"
    source = (
        "import torch\ncalls = []\ndef f(n):\n    calls.append(n)\n"
        "    return torch.rand(n) + len(calls) - 1\n"
    )
    report = grader.grade(problem, source)
    assert report.verdict == "wrong_answer"
    assert "a second call with the same inputs" in report.cases[0].message
