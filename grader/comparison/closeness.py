"""Decide whether two numbers, or two blocks of numbers, are close (rules 4 to 6).

Ints are exact. Floats are close if |actual - expected| <= atol + rtol * |expected|, in double
precision. NaN is close to NaN only, an infinity to itself only.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from grader.comparison.grid import Array

Flags = npt.NDArray[np.bool_]
Doubles = npt.NDArray[np.float64]


class Closeness(NamedTuple):
    """Of a block: which elements are close, and how far apart each pair is.

    `distance` is None where elements have no distance: text and dates.
    """

    close: Flags
    distance: Doubles | None


def real_distance(actual: float, expected: float) -> float:
    """Return |actual - expected|; 0.0 for equal infinities and two NaN, nan for one NaN."""
    if actual == expected or (actual != actual and expected != expected):
        return 0.0
    return abs(actual - expected)


def is_real_close(actual: float, expected: float, atol: float, rtol: float) -> bool:
    """Tell whether two floats match."""
    if actual == expected:
        return True
    if actual != actual or expected != expected:
        return actual != actual and expected != expected
    distance = abs(actual - expected)
    # A distance that overflows is no match, even when the tolerance overflows as well.
    return distance < math.inf and distance <= atol + rtol * abs(expected)


def complex_distance(actual: complex, expected: complex) -> float:
    """Return the modulus of the difference, component by component as for reals."""
    return math.hypot(
        real_distance(actual.real, expected.real), real_distance(actual.imag, expected.imag)
    )


def is_complex_close(actual: complex, expected: complex, atol: float, rtol: float) -> bool:
    """Tell whether two complex numbers match: by modulus, or by component if not finite."""
    parts = (actual.real, actual.imag, expected.real, expected.imag)
    if all(math.isfinite(part) for part in parts):
        distance = complex_distance(actual, expected)
        allowed = atol + rtol * math.hypot(expected.real, expected.imag)
        return distance == 0 or (distance < math.inf and distance <= allowed)
    return is_real_close(actual.real, expected.real, atol, rtol) and is_real_close(
        actual.imag, expected.imag, atol, rtol
    )


def to_float(number: int | float) -> float:
    """Return a number in double precision, an int beyond its range as an infinity."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def int_distance(actual: int, expected: int) -> float:
    """Return the exact distance of two ints, rounded once."""
    return to_float(abs(actual - expected))


def block_closeness(actual: Array, expected: Array, atol: float, rtol: float) -> Closeness:
    """Compare two blocks of one shape and dtype, element by element."""
    kind = expected.dtype.kind
    if kind == "f":
        return _real_block(_wide(actual), _wide(expected), atol, rtol)
    if kind == "c":
        return _complex_block(_wide(actual), _wide(expected), atol, rtol)
    if kind in "mM":
        # Units are equal once dtypes are, and NaT is one integer.
        actual, expected = actual.view(np.int64), expected.view(np.int64)
    close = np.asarray(actual == expected, dtype=np.bool_)
    if kind == "b":
        return Closeness(close, np.asarray(~close, dtype=np.float64))
    if kind in "iu":
        # Wraps round to the true distance, which unsigned 64 bits always hold.
        unsigned = np.dtype(f"u{expected.dtype.itemsize}")
        low, high = np.minimum(actual, expected), np.maximum(actual, expected)
        apart = high.astype(unsigned) - low.astype(unsigned)
        return Closeness(close, np.asarray(apart, dtype=np.float64))
    return Closeness(close, None)


def is_identical(actual: Array, expected: Array) -> bool:
    """Tell cheaply whether two blocks are equal throughout; a NaN makes it False."""
    return bool((actual == expected).all())


def _wide(block: Array) -> Array:
    """Return a block in double precision; a long double keeps what it has beyond."""
    return block.astype(np.result_type(block.dtype, np.float64), copy=False)


def _real_block(actual: Array, expected: Array, atol: float, rtol: float) -> Closeness:
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    distance = np.where(same, 0.0, np.abs(actual - expected))
    # Comparisons with NaN are False, so one NaN is a mismatch.
    close = same | ((distance <= atol + rtol * np.abs(expected)) & (distance < np.inf))
    return Closeness(np.asarray(close), np.asarray(distance, dtype=np.float64))


def _complex_block(actual: Array, expected: Array, atol: float, rtol: float) -> Closeness:
    real = _real_block(actual.real, expected.real, atol, rtol)
    imaginary = _real_block(actual.imag, expected.imag, atol, rtol)
    distance: Any = np.hypot(real.distance, imaginary.distance)  # type: ignore[arg-type]
    # hypot(inf, nan) is inf, but a NaN on one side only has no distance.
    lost = np.isnan(real.distance) | np.isnan(imaginary.distance)  # type: ignore[arg-type]
    distance = np.where(lost, np.nan, distance)
    finite = np.isfinite(actual) & np.isfinite(expected)
    allowed = atol + rtol * np.abs(expected)
    by_modulus = (distance == 0) | ((distance <= allowed) & (distance < np.inf))
    close = np.where(finite, by_modulus, real.close & imaginary.close)
    return Closeness(np.asarray(close), np.asarray(distance, dtype=np.float64))
