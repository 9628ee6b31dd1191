"""Classes and call sequences, judged by a probe that runs on both sides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader import Grader, Problem

MakeProblem = Callable[..., Problem]

COUNTER = """
class f:
    def __init__(self, start=0):
        self.value = start

    def add(self, n):
        self.value += n
        return self.value
"""
PROBE = """
def probe(obj, start, steps):
    counter, other = obj(start), obj()
    return {"seen": [counter.add(n) for n in steps], "other": other.value}
"""


@pytest.fixture
def counting(make_problem: MakeProblem) -> Problem:
    """A class that counts."""
    return make_problem(
        COUNTER,
        {"three steps": {"raw_inputs": {"start": "1", "steps": "[1, 2, 3]"}}},
        probe_code=PROBE,
    )


def test_a_right_class_is_accepted(grader: Grader, counting: Problem) -> None:
    """Another way to the same behaviour."""
    source = "class f:\n    def __init__(self, start=0): self.value = start\n"
    source += (
        "    def add(self, n):\n        self.value = self.value + n\n        return self.value\n"
    )
    assert grader.grade(counting, source).verdict == "accepted"


@pytest.mark.parametrize(
    ("source", "verdict", "said"),
    [
        (
            "class f:\n    value = 0\n    def __init__(self, start=0): f.value = start\n"
            "    def add(self, n):\n        f.value += n\n        return f.value\n",
            "wrong_answer",
            "1 where 2 was expected at output['seen'][0]",
        ),
        (
            COUNTER.replace("add", "plus"),
            "runtime_error",
            "AttributeError: 'f' object has no attribute 'add'",
        ),
        ("class f:\n    pass\n", "runtime_error", "TypeError: f() takes no arguments"),
    ],
)
def test_a_wrong_class_is_told_where_it_parts(
    source: str, verdict: str, said: str, grader: Grader, counting: Problem
) -> None:
    """State shared by all instances, a method missing, a constructor missing."""
    report = grader.grade(counting, source)
    assert report.verdict == verdict
    assert said in report.cases[0].message


def test_gradients_and_parameters_are_plain_data_to_a_probe(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """A module crosses the wall by what can be measured of it."""
    module = (
        "import torch\n"
        "class f(torch.nn.Module):\n"
        "    def __init__(self, n):\n"
        "        super().__init__()\n"
        "        self.w = torch.nn.Parameter(torch.ones(n))\n"
        "    def forward(self, x):\n"
        "        return (self.w * x).sum()\n"
    )
    probe = (
        "def probe(obj, x):\n"
        "    module = obj(len(x))\n"
        "    module(x).backward()\n"
        "    return {name: p.grad for name, p in module.named_parameters()}\n"
    )
    problem = make_problem(
        module,
        {"three": {"raw_inputs": {"x": "torch.tensor([1.0, 2.0, 3.0])"}}},
        probe_code=probe,
    )
    assert grader.grade(problem, module).verdict == "accepted"
    detached = module.replace("(self.w * x)", "(self.w * x * 2)")
    report = grader.grade(problem, detached)
    assert report.verdict == "wrong_answer"
    assert "output['w']" in report.cases[0].message


def test_a_probe_cannot_be_taken_over(grader: Grader, counting: Problem) -> None:
    """What is compared is what it returned; a forged return is compared like any other."""
    source = (
        "import sys\n"
        "class f:\n"
        "    def __init__(self, start=0):\n"
        "        frame = sys._getframe(1)\n"
        "        frame.f_globals['probe'] = lambda *a, **k: {'seen': [2, 4, 7], 'other': 0}\n"
        "        self.value = 0\n"
        "    def add(self, n): return 0\n"
    )
    report = grader.grade(counting, source, static_check=False)
    assert report.verdict == "wrong_answer"


def test_a_faulty_probe_is_the_problems_fault(grader: Grader, make_problem: MakeProblem) -> None:
    """It fails beside the reference first."""
    problem = make_problem(
        COUNTER,
        {"a": {"raw_inputs": {"start": "1"}}},
        probe_code="def probe(obj, start):\n    return obj(start).nothing\n",
    )
    (path, message), *_ = grader.dry_run(problem)
    assert path == "$.test_cases[0]"
    assert "has no attribute 'nothing'" in message
    assert grader.grade(problem, COUNTER).verdict == "internal_error"
