"""Cases offered for mutants that live: added to the problem, they kill them."""

from __future__ import annotations

from typing import Any

import pytest
from sound_problem import CASES, EMPTY, REFERENCE, sound_piece

from grader import Grader, Problem
from grader.authoring.gate import inspect
from grader.authoring.mutants import Mutant, mutants_of
from grader.authoring.suggest import suggest_cases


def problem_of(*names: str, **fields: Any) -> Problem:
    """The sound problem with these of its declared cases, and none drawn."""
    cases = [{"name": name, **CASES[name]} for name in names]
    problem = sound_piece(**{"test_cases": cases, "generated_cases": None, **fields}).problem
    assert problem is not None
    return problem


def mutant_of(reference: str, after: str) -> Mutant:
    """The mutant of a reference that makes this of a line."""
    (found,) = (mutant for mutant in mutants_of(reference) if mutant.after == after)
    return found


def accepted(grader: Grader, problem: Problem, source: str) -> bool:
    """Whether a source passes all cases."""
    return grader.grade(problem, source, static_check=False).verdict == "accepted"


NOT_SQUARED = "return scale * sum(v for v in x) / len(x) + 0.5"
ONES = {"name": "ones", "raw_inputs": {"x": "[1.0, 1.0]"}}


def test_a_suggested_case_kills_the_survivor(grader: Grader) -> None:
    """Of ones nobody sees whether they were squared."""
    mutant = mutant_of(REFERENCE, NOT_SQUARED)
    problem = problem_of(test_cases=[ONES])
    assert accepted(grader, problem, mutant.source)
    (case,) = suggest_cases(grader, problem, [mutant])
    assert case["input_desc"] == f"kills `{mutant.before}` → `{NOT_SQUARED}`"
    assert case["hidden"] is True
    stronger = problem_of(test_cases=[ONES, case])
    assert accepted(grader, stronger, REFERENCE)
    assert not accepted(grader, stronger, mutant.source)


@pytest.mark.parametrize("after", ["if False:", "raise None"])
def test_for_a_dropped_check_an_error_is_expected(after: str, grader: Grader) -> None:
    """The input that the reference refuses, with what it says."""
    mutant = mutant_of(REFERENCE, after)
    problem = problem_of("two", "one")
    assert accepted(grader, problem, mutant.source)
    (case,) = suggest_cases(grader, problem, [mutant])
    assert case["raw_inputs"]["x"] == "[]"
    assert case["expect_error"] == EMPTY
    stronger = problem_of(test_cases=[{"name": "two", **CASES["two"]}, case])
    assert accepted(grader, stronger, REFERENCE)
    assert not accepted(grader, stronger, mutant.source)


DRAWING = """
def generate(rng, index, size=None):
    return {"x": [float(n + 2) for n in range(size or 9)]}
"""


def test_what_the_generator_draws_is_tried_at_small_sizes(grader: Grader) -> None:
    """The author reads the case; a short one explains more."""
    reference = "def f(x):\n    return x[0] if len(x) < 3 else x[1] + 3\n"
    mutant = mutant_of(reference, "return x[0] if len(x) < 3 else (x[1])")
    problem = problem_of(
        reference_code=reference,
        test_cases=[{"name": "one", "raw_inputs": {"x": "[1.5]"}}],
        generated_cases={"code": DRAWING, "count": 1, "seed": 0},
    )
    (case,) = suggest_cases(grader, problem, [mutant])
    assert case["raw_inputs"] == {"x": "[2.0, 3.0, 4.0]"}


def test_a_mutant_that_nothing_tells_apart_gets_no_case(grader: Grader) -> None:
    """It may well be equivalent."""
    reference = "def f(x):\n    return sorted(sorted(x))\n"
    mutant = mutant_of(reference, "return sorted(x)")
    problem = problem_of("two", reference_code=reference)
    assert suggest_cases(grader, problem, [mutant]) == []


def test_without_survivors_there_is_nothing_to_suggest(grader: Grader) -> None:
    """And nothing is run."""
    assert suggest_cases(grader, problem_of("two"), []) == []


def test_inputs_that_crash_the_reference_are_not_offered(grader: Grader) -> None:
    """Only a `ValueError` is taken for a promise."""
    reference = "def f(x):\n    return x[2] * 1\n"
    mutant = mutant_of(reference, "return x[1] * 1")
    problem = problem_of(
        reference_code=reference,
        test_cases=[{"name": "fours", "raw_inputs": {"x": "[4.0, 4.0, 4.0]"}}],
    )
    (case,) = suggest_cases(grader, problem, [mutant])
    assert "expect_error" not in case
    assert len(eval(case["raw_inputs"]["x"])) >= 3


def test_the_gate_suggests_on_demand(grader: Grader) -> None:
    """The search takes its time."""
    piece = sound_piece(
        reference_code="def f(x):\n    return -sum(x)\n",
        test_cases=[{"name": "none", "raw_inputs": {"x": "[0.0]"}}],
        generated_cases=None,
        description_md="A sum.\n",
        translations=None,
    )
    assert inspect(grader, piece).suggestions == []
    found = inspect(grader, piece, suggest=True).suggestions
    assert [case["name"] for case in found] == ["suggested 0"]
    assert found[0]["input_desc"] == "kills `return -sum(x)` → `return +sum(x)`"
