"""Each rule of the comparison that a problem may loosen: what then matches, and what still not."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from grader import Grader, Problem
from grader.compare import compare
from grader.comparison.loosen import RULES
from grader.specs.problem_schema import problem_schema

Pair = namedtuple("Pair", "x y")
# rule, actual, expected, whether they match once it is loosened
ROWS: list[tuple[str, Any, Any, bool]] = [
    ("kinds", torch.tensor(1.0), 1.0, True),
    ("kinds", np.array(2), 2, True),
    ("kinds", np.array(True), True, True),
    ("kinds", torch.tensor([1.0]), 1.0, False),
    ("kinds", torch.tensor(1.1), 1.0, False),
    ("kinds", (torch.tensor(0.5), 1.0), (0.5, 1.0), True),
    ("widening", 2.0, 2, True),
    ("widening", 2 + 0j, 2.0, True),
    ("widening", 2.5, 2, False),
    ("widening", float("inf"), 2, False),
    ("exact_ints", 100_000, 100_001, True),
    ("exact_ints", 1, 2, False),
    ("exact_ints", torch.tensor([100_000]), torch.tensor([100_001]), True),
    ("exact_ints", np.array([1, 2]), np.array([1, 3]), False),
    ("shapes", torch.ones(3, 1), torch.ones(3), True),
    ("shapes", np.ones((1, 2)), np.ones((2, 1)), True),
    ("shapes", torch.ones(2, 3), torch.ones(3, 2), False),
    ("dtypes", torch.ones(2, dtype=torch.float64), torch.ones(2), True),
    ("dtypes", np.array([1, 2], np.int32), np.array([1, 2]), True),
    ("dtypes", np.array([300]), np.array([44], np.uint8), False),
    ("dtypes", np.array([1.0]), np.array([1]), False),
    ("layout", torch.eye(2).to_sparse(), torch.eye(2), True),
    ("layout", torch.eye(2), torch.eye(2).to_sparse(), True),
    ("layout", torch.ones(2, 2).to_sparse(), torch.eye(2), False),
    ("sequence_types", [1.0, 2.0], (1.0, 2.0), True),
    ("sequence_types", ([1], 2), [(1,), 2], True),
    ("sequence_types", [1.0], (1.0, 2.0), False),
    ("records", (1, 2), Pair(1, 2), True),
    ("records", (1, 3), Pair(1, 2), False),
]


@pytest.mark.parametrize(("rule", "actual", "expected", "match"), ROWS)
def test_a_loosened_rule(rule: str, actual: Any, expected: Any, match: bool) -> None:
    """Nothing of the table matches without the rule's name."""
    assert compare(actual, expected, 1e-4, 1e-4, frozenset({rule})).match is match
    assert not compare(actual, expected, 1e-4, 1e-4).match
    assert not compare(actual, expected, 1e-4, 1e-4, RULES - {rule}).match or rule == "shapes"


def test_the_schema_names_the_rules() -> None:
    """A fact has one home; the copy is proved equal."""
    loosen = problem_schema()["properties"]["comparison"]["properties"]["loosen"]
    assert set(loosen["items"]["enum"]) == RULES
    assert {rule for rule, *_ in ROWS} == RULES


def test_a_problem_loosens_by_name(grader: Grader, make_problem: Callable[..., Problem]) -> None:
    """The name in the spec reaches the comparison."""
    given = {"a": {"raw_inputs": {"x": "3.0"}}}
    source = "import torch\ndef f(x):\n    return torch.tensor(x)\n"
    reference = "def f(x):\n    return x\n"
    strict = make_problem(reference, given)
    assert grader.grade(strict, source).verdict == "wrong_answer"
    loose = make_problem(reference, given, comparison={"loosen": ["kinds"]})
    assert grader.grade(loose, source).verdict == "accepted"
