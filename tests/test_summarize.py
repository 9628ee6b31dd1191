"""Tests of the summaries: their shape, their bounds, and that nothing in them acts."""

from __future__ import annotations

import collections
import json
import math
import time
from typing import Any

import numpy as np
import pytest
import torch
from hostile_values import HOSTILE, hostile_names, trapped_values

from grader.summarize import summarize_obj
from grader.values import ExceptionValue, Raised

Pair = collections.namedtuple("Pair", "tpr tnr")

SUMMARIES: list[tuple[Any, dict[str, Any]]] = [
    (2.5, {"type": "float", "preview": "2.5"}),
    (None, {"type": "None", "preview": "None"}),
    (math.nan, {"type": "float", "preview": "nan"}),
    ("a\x1b", {"type": "str", "preview": "'a\\x1b'", "length": 2}),
    (
        torch.tensor([[0.1, math.nan], [math.inf, 2.0]]),
        {
            "type": "tensor",
            "preview": "[0.1, nan, inf, 2.0]",
            "shape": [2, 2],
            "dtype": "float32",
            "min": 0.10000000149011612,
            "max": 2.0,
            "mean": 1.050000000745058,
            "nan": 1,
            "inf": 1,
        },
    ),
    (
        np.ma.array([1, 100], mask=[False, True]),
        {
            "type": "array",
            "preview": "[1, masked]",
            "shape": [2],
            "dtype": "int64",
            "min": 1,
            "max": 1,
            "mean": 1.0,
            "nan": 0,
            "inf": 0,
            "masked": 1,
        },
    ),
    (
        torch.full((2,), math.nan),
        {
            "type": "tensor",
            "preview": "[nan, nan]",
            "shape": [2],
            "dtype": "float32",
            "nan": 2,
            "inf": 0,
        },
    ),
    (
        torch.empty(3, device="meta"),
        {
            "type": "tensor",
            "preview": "",
            "shape": [3],
            "dtype": "float32",
            "unreadable": "a meta tensor, which has no values,",
        },
    ),
    (
        Pair(0.5, 1),
        {
            "type": "tuple",
            "preview": "(0.5, 1)",
            "length": 2,
            "fields": ["tpr", "tnr"],
            "items": [{"type": "float", "preview": "0.5"}, {"type": "int", "preview": "1"}],
        },
    ),
    (
        {"a": [1]},
        {
            "type": "dict",
            "preview": "{'a': [1]}",
            "length": 1,
            "entries": [
                {
                    "key": "'a'",
                    "value": {
                        "type": "list",
                        "preview": "[1]",
                        "length": 1,
                        "items": [{"type": "int", "preview": "1"}],
                    },
                }
            ],
        },
    ),
    (
        Raised(ExceptionValue(("ValueError",), "no")),
        {"type": "raised exception", "preview": "raised ValueError('no')"},
    ),
    (10**1000, {"type": "int", "preview": "1.0000e+1000 (1001 digits)"}),
    (10**1000 - 1, {"type": "int", "preview": "9.9999e+999 (1000 digits)"}),
]


@pytest.mark.parametrize(("value", "summary"), SUMMARIES, ids=range(len(SUMMARIES)))
def test_summary_has_the_documented_shape(value: Any, summary: dict[str, Any]) -> None:
    """The report schema and the site read these keys."""
    assert summarize_obj(value) == summary


def test_items_left_out_are_counted() -> None:
    """A reader must see that there is more."""
    summary = summarize_obj(list(range(100)))
    assert len(summary["items"]) == 8
    assert summary["omitted"] == 92


def test_huge_expanded_tensor_is_sampled() -> None:
    """10**12 elements cost nothing to return and must cost little to show."""
    summary = summarize_obj(torch.ones(1).expand(10**12))
    assert summary["shape"] == [10**12]
    assert summary["sampled"] < 10**7


def worst_cases() -> list[Any]:
    """Values that grow most when escaped and nested."""
    ugly = "\ud800\u202e\x1b" * 100
    inner = {ugly + str(i): [ugly] * 9 for i in range(9)}
    fields = [f"f{'é' * 60}{i}" for i in range(50)]
    return [
        [[[inner] * 9] * 9] * 9,
        {ugly + str(i): inner for i in range(9)},
        [[np.array([ugly] * 20, dtype=object)] * 9] * 9,
        [["é" * 1000] * 9] * 9,
        collections.namedtuple("Wide", fields)(*fields),
        np.zeros(3, dtype=[(ugly[:30] + str(i), "f8") for i in range(100)]),
        [torch.rand(3, 3, 3)] * 9,
        torch.zeros((1,) * 60),
    ]


@pytest.mark.parametrize("case", range(len(worst_cases())))
def test_summary_is_under_four_kibibytes(case: int) -> None:
    """A report holds two a case, for a hundred cases."""
    text = json.dumps(summarize_obj(worst_cases()[case]), allow_nan=False)
    assert len(text) < 4096


def assert_inert(node: Any) -> None:
    """Fail on any text that a terminal or browser could act on."""
    if isinstance(node, dict):
        for key, part in node.items():
            assert key.isidentifier()
            assert_inert(part)
    elif isinstance(node, list):
        for part in node:
            assert_inert(part)
    elif isinstance(node, str):
        assert node.isprintable()


@pytest.mark.parametrize("name", hostile_names())
def test_hostile_value_is_summarised_inertly(name: str) -> None:
    """No result may crash, stall or flood the report."""
    value = HOSTILE[name]()
    start = time.perf_counter()
    for summary in (summarize_obj(value), summarize_obj([value, {"k": value}])):
        assert len(json.dumps(summary, allow_nan=False)) < 4096
        assert_inert(summary)
    assert time.perf_counter() - start < 5


def test_overrides_of_a_subclass_are_never_called() -> None:
    """A summary is made in the referee, beside the answers."""
    for value, _ in trapped_values().values():
        summarize_obj(value)
        summarize_obj({"x": [value]})


def test_tuple_of_floats_is_summarised_in_microseconds() -> None:
    """Every case pays for two summaries."""
    best = math.inf
    for _ in range(200):
        start = time.perf_counter()
        summarize_obj((0.25, 0.5, 0.75))
        best = min(best, time.perf_counter() - start)
    assert best < 90e-6
