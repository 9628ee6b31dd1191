"""The seed problem as the attack corpus wants it judged: with hidden cases, and a short limit."""

from __future__ import annotations

from typing import Any

from conftest import problem_from, seed_spec

from grader import Problem

# Look-up tables pass the published samples, and a clamped eps passes the small ones.
HIDDEN = {
    "no positives": (0, 7, 3, 0, 1e-12),
    "large eps": (0, 990, 0, 10, 10.0),
    "eps of one": (3, 0, 0, 1, 1.0),
    "ordinary": (17, 61, 5, 9, 1e-12),
}


def _spec(time_limit_s: float) -> dict[str, Any]:
    raw = seed_spec() | {"time_limit": time_limit_s}
    for name, values in HIDDEN.items():
        named = zip(("tp", "tn", "fp", "fn", "eps"), map(repr, values), strict=True)
        raw["test_cases"].append({"name": name, "raw_inputs": dict(named), "hidden": True})
    return raw


def declarative(time_limit_s: float = 5.0) -> Problem:
    """The cases as data."""
    raw = _spec(time_limit_s)
    del raw["test_code"]
    return problem_from(raw)


def by_test_code(time_limit_s: float = 5.0) -> Problem:
    """The cases in the seed's own test code, the hidden ones added to its table."""
    raw = _spec(time_limit_s)
    rows = "".join(f"    ({name!r}, {', '.join(map(repr, v))}),\n" for name, v in HIDDEN.items())
    head, mark, tail = raw["test_code"].partition("]\nfor idx")
    assert mark, "the seed's test code has another form"
    raw["test_code"] = head + rows + mark + tail
    return problem_from(raw)
