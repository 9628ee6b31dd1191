"""Each reference against somebody else's: a library, or exact fractions, on 200 drawn inputs."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from conftest import CORPUS, problem_from

from grader import Grader, Problem, load_problem
from grader.case_inputs import generator_of
from grader.compare import compare
from grader.spec import list_problems

ORACLES = Path(__file__).parent / "oracles"
SLUGS = [path.stem for path in list_problems()]
INPUTS = 200
# Far from the seeds of the problems themselves: these are other inputs than their cases.
SEED = 1_000_003
VALUES = json.loads((CORPUS / "seed_values.json").read_text("utf-8"))


def names_of(source: str | None, **given: Any) -> dict[str, Any]:
    """What a code field defines."""
    names = {"__name__": "field", "torch": torch, "np": np, "math": math, **given}
    exec(source or "", names)
    return names


def oracle_of(slug: str) -> Any:
    """The function that knows the answer by another way."""
    path = ORACLES / f"{slug.replace('-', '_')}.py"
    spec = importlib.util.spec_from_file_location(f"oracle_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.oracle


@pytest.mark.parametrize("slug", SLUGS)
def test_reference_agrees_with_its_oracle(slug: str) -> None:
    """Expected values come from the reference; so the reference must be right."""
    problem, oracle = load_problem(slug), oracle_of(slug)
    assert problem.generated_cases is not None
    generate = names_of(problem.generated_cases.code, **names_of(problem.setup_code))["generate"]
    reference = names_of(problem.reference_code)[problem.entry_point]
    if problem.probe_code is not None:
        probe, entry = names_of(problem.probe_code)["probe"], reference
        reference = lambda **inputs: probe(entry, **inputs)  # noqa: E731 - stands for a function
    for index in range(INPUTS):
        ours, theirs = (generate(generator_of(slug, SEED, index), index) for _ in range(2))
        result = compare(
            reference(**ours), oracle(**theirs), problem.atol, problem.rtol, problem.loosened
        )
        assert result.match, f"input {index}: {result.message}: {theirs}"


def named(value: Any) -> Any:
    """An expected value of the file, as Python: NaN and infinities by name."""
    if isinstance(value, list):
        return [named(item) for item in value]
    if isinstance(value, dict):
        return {key: named(item) for key, item in value.items()}
    return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(
        value if isinstance(value, str) else "", value
    )


PLAIN = """

def _plain(value):
    import numpy, torch
    if isinstance(value, (torch.Tensor, numpy.ndarray)):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return _plain(value.item()) if isinstance(value, numpy.generic) else value


def value_of_call():
    import math
    import numpy as np
    import torch
    from math import inf, nan
    return _plain({call})
"""


def calling(problem: Problem, row: dict[str, Any], number: int) -> tuple[Problem, str]:
    """A problem whose answer is one value of the file, and the reference as its submission."""
    expected = row["expected"]
    raises = isinstance(expected, dict) and "raises" in expected
    case: dict[str, Any] = {"name": f"value {number}", "raw_inputs": {}}
    answer = "def value_of_call():\n"
    if raises:
        case["expect_error"] = {"type": expected["raises"]}
        case["expect_error"] |= {"message": expected["message"]} if expected["message"] else {}
        answer += f"    raise {expected['raises']}({expected['message'] or ''!r})\n"
    else:
        literal = repr(named(expected))
        answer += f"    nan, inf = float('nan'), float('inf')\n    return {literal}\n"
    raw = {
        "slug": problem.slug, "title": "value", "difficulty": "Easy", "category": "test",
        "description_md": "value", "entry_point": "value_of_call", "starter_code": answer,
        "reference_code": answer, "test_cases": [case], "time_limit": 5, "memory_limit_mb": 512,
        "atol": 1e-9 if problem.atol > 1e-6 else problem.atol, "rtol": 1e-9,
    }  # fmt: skip
    return problem_from(raw), problem.reference_code + PLAIN.replace("{call}", row["call"])


@pytest.mark.parametrize("slug", SLUGS)
def test_every_value_of_the_catalogue_comes_out_of_the_sandbox(slug: str, grader: Grader) -> None:
    """They were found by oracles before the problem was written."""
    problem = load_problem(slug)
    rows = [row for row in VALUES if row["problem"] == slug]
    assert rows
    for number, row in enumerate(rows):
        asked, source = calling(problem, row, number)
        report = grader.grade(asked, source)
        assert report.verdict == "accepted", (row["call"], report.message, report.cases)
