"""Values as Python: what is printed evaluates to the same value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.compare import compare
from grader.python_source import NoExpression, to_python

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
    | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)  # fmt: skip
GRIDS = [
    torch.tensor([1.0, float("nan"), float("inf"), -float("inf"), 0.1]),
    torch.tensor(3),
    torch.empty(0),
    torch.empty(2, 0, dtype=torch.int64),
    torch.arange(6).reshape(2, 3).t(),
    torch.arange(24, dtype=torch.float64).reshape(2, 3, 4).permute(1, 2, 0),
    torch.tensor([1.5, 2.5], dtype=torch.bfloat16),
    torch.tensor([True, False]),
    torch.tensor([1 + 2j]),
    torch.ones(2, requires_grad=True),
    np.arange(4, dtype=np.uint8),
    np.array([[0.1, math.nan]], dtype=np.float32),
    np.zeros((0, 3)),
    np.arange(6.0).reshape(2, 3).T,
    np.array(True),
    np.float32(0.1),
    np.int16(-3),
]


def evaluate(text: str) -> Any:
    """What a person gets who pastes the text."""
    return eval(text, {"torch": torch, "np": np, "math": math})


@given(PLAIN)
def test_plain_values_come_back(value: Any) -> None:
    """NaN, infinities and complex numbers have no literal of their own."""
    again = evaluate(to_python(value))
    assert compare(again, value, 0.0, 0.0).match
    assert type(again) is type(value)


@pytest.mark.parametrize("value", GRIDS, ids=str)
def test_arrays_and_tensors_come_back(value: Any) -> None:
    """With shape, dtype, layout in memory and requires_grad."""
    again = evaluate(to_python(value))
    assert compare(again, value, 0.0, 0.0).match
    assert type(again) is type(value)
    if isinstance(value, torch.Tensor):
        assert again.requires_grad == value.requires_grad
        assert value.numel() == 0 or again.stride() == value.stride()
    elif isinstance(value, np.ndarray):
        assert value.size == 0 or again.strides == value.strides


@pytest.mark.parametrize(
    "value", [object(), torch.eye(2).to_sparse(), np.array(["a"]), torch.ones(1_000_000)]
)
def test_what_has_no_short_expression_is_refused(value: Any) -> None:
    """And a long one is not even begun."""
    with pytest.raises(NoExpression):
        to_python(value, 2000)
