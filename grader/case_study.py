"""What the author's gate asks of one case: would it let zeros pass, how exact is its reference?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from grader.compare import compare

# A result that is off by a thousandth is wrong in every problem we know.
_OFF_BY = 1.001
_NARROW = {"torch.float16", "torch.bfloat16", "torch.float32", "float16", "float32"}


def study_case(
    expected: Any, inputs: dict[str, Any], terms: tuple[float, float, frozenset[str]]
) -> dict[str, Any]:
    """Return what a lazy answer would earn in a case.

    Args:
        expected: the reference's result.
        inputs: fresh arguments, by name.
        terms: atol, rtol and the loosened rules of the case.

    Returns:
        zeros, off, echo: whether all zeros, the result times 1.001, or an argument handed back
        would pass; None where that is no wrong answer. nan: whether the result has a NaN.
    """
    numbers = [number for number in _numbers(expected) if number == number]
    has_size = any(number != 0 for number in numbers)
    off = _mapped(expected, lambda x: x * _OFF_BY)
    changed = has_size and not compare(off, expected, 0.0, 0.0).match
    return {
        "zeros": _passes(_mapped(expected, lambda x: x * 0), expected, terms) if has_size else None,
        "off": _passes(off, expected, terms) if changed else None,
        "echo": any(_passes(value, expected, terms) for value in inputs.values()),
        "nan": any(number != number for number in _numbers(expected)),
    }


def rounding(
    reference: Callable[[dict[str, Any]], Any],
    expected: Any,
    inputs: dict[str, Any],
    terms: tuple[float, float, frozenset[str]],
) -> dict[str, Any] | None:
    """Return how far the reference is from itself in double precision.

    Returns:
        spread: largest difference relative to the typical size of the result; tight: whether
        the tolerance would refuse the exact result. None where no input is of low precision,
        or where the reference takes no other.
    """
    wide = {name: _widened(value) for name, value in inputs.items()}
    if not any(_is_narrow(value) for value in inputs.values()):
        return None
    try:
        exact = reference(wide)
    except Exception:  # the author's code: it may well join inputs to constants of its own dtype
        return None
    pairs = list(zip(_numbers(expected), _numbers(exact), strict=False))
    finite = [(a, b) for a, b in pairs if _is_finite(a) and _is_finite(b)]
    size = sum(abs(b) for _, b in finite) / len(finite) if finite else 0.0
    spread = max((abs(a - b) for a, b in finite), default=0.0) / size if size else 0.0
    loose = terms[2] | {"dtypes"}
    return {"spread": spread, "tight": not compare(expected, exact, *terms[:2], loose).match}


def _is_finite(number: Any) -> bool:
    """Whether a number is one that a double can hold; a large int is not."""
    try:
        return math.isfinite(abs(number))
    except OverflowError:
        return False


def _passes(actual: Any, expected: Any, terms: tuple[float, float, frozenset[str]]) -> bool:
    return compare(actual, expected, *terms).match


def _numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers in a value, in order; bools are none."""
    match value:
        case torch.Tensor() if value.dtype is not torch.bool:
            dense = value.detach().to_dense() if value.layout is not torch.strided else value
            yield from dense.detach().reshape(-1).tolist()
        case np.ndarray() if value.dtype.kind in "iufc":
            yield from value.reshape(-1).tolist()
        case np.generic() if value.dtype.kind in "iufc":
            yield value.item()
        case int() | float() | complex() if not isinstance(value, bool):
            yield value
        case list() | tuple():
            for item in value:
                yield from _numbers(item)
        case dict():
            for item in value.values():
                yield from _numbers(item)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The value with each number changed, of the same kind, shape and dtype."""
    match value:
        case torch.Tensor() if value.dtype is not torch.bool:
            return change(value.detach()).to(value.dtype)
        case np.ndarray() if value.dtype.kind in "iufc":
            return np.asarray(change(value)).astype(value.dtype)
        case np.generic() if value.dtype.kind in "iufc":
            return value.dtype.type(change(value))
        case int() if not isinstance(value, bool):
            try:
                return int(change(value))
            except OverflowError:  # beyond any double
                return value
        case float() | complex():
            return change(value) if _is_finite(value) else value
        case tuple() if hasattr(value, "_fields"):
            return type(value)(*(_mapped(item, change) for item in value))
        case list() | tuple():
            return type(value)(_mapped(item, change) for item in value)
        case dict():
            return {key: _mapped(item, change) for key, item in value.items()}
    return value


def _is_narrow(value: Any) -> bool:
    if isinstance(value, torch.Tensor | np.ndarray | np.generic):
        return str(value.dtype) in _NARROW
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list | tuple) and any(map(_is_narrow, value))


def _widened(value: Any) -> Any:
    """The value in double precision, where it is of lower."""
    if isinstance(value, torch.Tensor) and _is_narrow(value):
        return value.detach().double().requires_grad_(value.requires_grad)
    if isinstance(value, np.ndarray | np.generic) and _is_narrow(value):
        return value.astype(np.float64)
    if isinstance(value, dict):
        return {key: _widened(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_widened, value))
    return value
