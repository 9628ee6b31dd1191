"""Guess how an array of numbers missed: by arrangement, by scale or by function.

Each rule returns a sentence or None; the first sentence in `RULES` wins, so the plainer guess
stands before the more far-fetched one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations
from typing import Final

import numpy as np

from grader.comparison.grid import Array
from grader.comparison.hint_numbers import Pair

_MAX_AXES: Final = 4  # 24 permutations of axes
_SUM_ERROR: Final = 1e-3  # rows of a float16 softmax sum to 1 within this
_MAX_COUNT: Final = 100_000  # a ratio beyond is not a number of samples


def not_finite(pair: Pair) -> str | None:
    """NaN or infinity where a finite number was expected."""
    if not pair.same_shape:
        return None
    lost = ~np.isfinite(pair.actual) & np.isfinite(pair.expected)
    if not lost.any():
        return None
    word = "NaN" if np.isnan(pair.actual[lost]).any() else "infinity"
    return (
        f"There is {word} where a finite number was expected: guard divisions by zero and "
        "logarithms of zero, for example with a small eps."
    )


def transposed(pair: Pair) -> str | None:
    """The axes are there, in another order."""
    axes = pair.actual.ndim
    if not 2 <= axes <= _MAX_AXES or pair.expected.ndim != axes:
        return None
    for order in permutations(range(axes)):
        if order != tuple(range(axes)) and pair.explains(pair.actual.transpose(order)):
            if axes == 2:
                return "The result is transposed: swap its two axes."
            return f"The axes are in another order: permute them by {order}."
    return None


def axis_of_one(pair: Pair) -> str | None:
    """An axis of length 1 too many or too few."""
    found, wanted = pair.actual.shape, pair.expected.shape
    if found == wanted or _without_ones(found) != _without_ones(wanted):
        return None
    if not pair.explains(pair.actual.reshape(wanted)):
        return None
    if len(found) > len(wanted):
        return f"The values are right, with an extra axis of length 1: squeeze {found} to {wanted}."
    if len(found) < len(wanted):
        return (
            "The values are right, but an axis of length 1, such as the batch axis, is missing: "
            f"unsqueeze {found} to {wanted}."
        )
    return f"The values are right, but the axis of length 1 stands elsewhere: {wanted} is expected."


def _without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(length for length in shape if length != 1)


def reshaped(pair: Pair) -> str | None:
    """The values are there in order, in another shape."""
    found, wanted = pair.actual.shape, pair.expected.shape
    if found == wanted or pair.actual.size != pair.expected.size:
        return None
    if not pair.explains(pair.actual.reshape(wanted)):
        return None
    if len(found) == 1:
        return f"The values are right but flattened: reshape them to {wanted}."
    return f"The values are right, but the shape is not: reshape {found} to {wanted}."


def off_by_one(pair: Pair) -> str | None:
    """Whole numbers that are all one too large or too small."""
    if not pair.same_shape or not _is_whole(pair.actual) or not _is_whole(pair.expected):
        return None
    for step, word, cause in ((1, "large", "0, not from 1"), (-1, "small", "1, not from 0")):
        if np.array_equal(pair.actual - step, pair.expected):
            return f"Every value is one too {word}: perhaps counting starts from {cause}."
    return None


def _is_whole(values: Array) -> bool:
    return not np.iscomplexobj(values) and bool((values == np.round(values)).all())


def reordered(pair: Pair) -> str | None:
    """The same values, reversed, rolled by one or in another order."""
    if not pair.same_shape or pair.actual.ndim == 0 or np.iscomplexobj(pair.actual):
        return None
    for axis, length in enumerate(pair.actual.shape):
        place = f" along axis {axis}" if pair.actual.ndim > 1 else ""
        if pair.explains(np.flip(pair.actual, axis)):
            if length == 2:
                return f"The two values are swapped{place}."
            return f"The values are in reverse order{place}."
        for step, word in ((-1, "late"), (1, "early")):
            if length > 2 and pair.explains(np.roll(pair.actual, step, axis)):
                return f"The values come one place too {word}{place}: an index is off by one."
    if pair.actual.ndim == 1 and _same_values(pair):
        return "The right values are there, but in another order."
    return None


def shifted(pair: Pair) -> str | None:
    """One end is missing and the other has a value too many."""
    if not pair.same_shape or pair.actual.ndim != 1 or pair.actual.size < 4:
        return None
    first, last = slice(None, -1), slice(1, None)
    for ours, theirs, word in ((last, first, "late"), (first, last, "early")):
        part = Pair(pair.actual[ours], pair.expected[theirs], 1e-6, 1e-6)
        if part.scale and np.ptp(part.expected.real) and part.explains(part.actual):
            return f"The values come one place too {word}: an index is off by one."
    return None


def _same_values(pair: Pair) -> bool:
    order = np.argsort(pair.expected, axis=None)
    back = np.empty_like(pair.expected)
    back[order] = np.sort(pair.actual, axis=None)
    return pair.explains(back)


def other_sign(pair: Pair) -> str | None:
    """Every value has the opposite sign."""
    return "Every value has the opposite sign." if pair.explains(-pair.actual) else None


def wrong_axis(pair: Pair) -> str | None:
    """A softmax or normalisation along another axis: the sums are 1 elsewhere."""
    if not pair.same_shape or pair.actual.ndim < 2 or np.iscomplexobj(pair.actual):
        return None
    found, wanted = _axes_of_one_sum(pair.actual), _axes_of_one_sum(pair.expected)
    if not found or not wanted or found & wanted:
        return None
    return (
        f"The sums are 1 along axis {min(found)}, but along axis {min(wanted)} in what was "
        "expected: the softmax or normalisation runs along the wrong axis."
    )


def _axes_of_one_sum(values: Array) -> set[int]:
    return {
        axis
        for axis, length in enumerate(values.shape)
        if length > 1 and (np.abs(values.sum(axis) - 1) < _SUM_ERROR).all()
    }


def not_normalised(pair: Pair) -> str | None:
    """Dividing by a sum or a norm would give what was expected."""
    if not pair.same_shape or pair.actual.size < 2 or np.iscomplexobj(pair.actual):
        return None
    axes: list[int | None] = [None, *range(pair.actual.ndim)] if pair.actual.ndim > 1 else [None]
    for axis in axes:
        along = "" if axis is None else f" along axis {axis}"
        total = pair.actual.sum(axis, keepdims=True)
        # Not a sum for a mean: the expected values must sum to one themselves.
        if pair.explains(pair.actual / total):
            return f"The values are not normalised: divide by their sum{along}."
        norm = np.sqrt((pair.actual**2).sum(axis, keepdims=True))
        if pair.explains(pair.actual / norm):
            return f"The values are not normalised: divide by their Euclidean norm{along}."
    return None


# Factors with one usual cause, as actual / expected.
_FACTORS: Final[tuple[tuple[float, str], ...]] = (
    (100.0, "Every value is 100 times too large: a fraction is expected, not a percentage."),
    (0.01, "Every value is 100 times too small: a percentage is expected, not a fraction."),
    (180 / math.pi, "The values are in degrees, radians are expected."),
    (math.pi / 180, "The values are in radians, degrees are expected."),
    (math.log(2), "The logarithm is natural, base 2 is expected."),
    (1 / math.log(2), "The logarithm is of base 2, the natural one is expected."),
    (math.log(10), "The logarithm is natural, base 10 is expected."),
    (1 / math.log(10), "The logarithm is of base 10, the natural one is expected."),
    (math.log10(2), "The logarithm is of base 10, base 2 is expected."),
    (1 / math.log10(2), "The logarithm is of base 2, base 10 is expected."),
)


def known_factor(pair: Pair) -> str | None:
    """One factor throughout, with a name: percent, degrees, the base of a logarithm."""
    ratio = pair.ratio()
    if ratio is None:
        return None
    for factor, sentence in _FACTORS:
        if math.isclose(ratio, factor, rel_tol=1e-4):
            return sentence
    return None


def sample_size(pair: Pair) -> str | None:
    """Division by n where n - 1 was expected, or the reverse; of a variance or its root.

    Not of a single number: any two small counts stand in such a ratio by chance.
    """
    ratio = pair.ratio()
    if ratio is None or ratio <= 0 or pair.expected.size < 2:
        return None
    for power, what in ((1, ""), (2, ", under the root")):
        down, up = _count(1 / ratio**power), _count(ratio**power)
        if down:
            return f"Divided by n where n - 1 is expected{what} (n = {down})."
        if up:
            return f"Divided by n - 1 where n is expected{what} (n = {up})."
    return None


def _count(ratio: float) -> int | None:
    """Return n for a ratio of n / (n - 1), None for any other."""
    if not 1.0005 < ratio < 1.6:
        return None  # n = 2 would be a plain factor of two
    n = ratio / (ratio - 1)
    # Float32 places a ratio within 1e-6, and n within that times n squared.
    return round(n) if abs(n - round(n)) < max(0.002, 1e-6 * n * n) and n < 200 else None


def whole_factor(pair: Pair) -> str | None:
    """A whole factor throughout: a sum for a mean, or the reverse."""
    ratio = pair.ratio()
    if ratio is None or ratio <= 0:
        return None
    for value, word, cause in (
        (ratio, "times", "a sum where a mean is expected"),
        (1 / ratio, "times smaller than", "a mean where a sum is expected"),
    ):
        n = round(value)
        if 2 <= n <= _MAX_COUNT and math.isclose(value, n, rel_tol=1e-5):
            if word == "times":
                return f"Every value is {n} times what is expected: perhaps {cause}."
            return f"Every value is one {n}th of what is expected: perhaps {cause}."
    return None


_FUNCTIONS: Final[tuple[tuple[Callable[[Array], Array], str], ...]] = (
    (np.sqrt, "These are the squares of what is expected: take the square root."),
    (np.square, "These are the square roots of what is expected."),
    (np.exp, "These are the logarithms of what is expected."),
    (np.log, "What is expected are the logarithms of these values."),
    (np.reciprocal, "These are the reciprocals of what is expected."),
    (lambda values: 1 - values, "These are 1 minus what is expected."),
)


def other_function(pair: Pair) -> str | None:
    """A square, root, logarithm, reciprocal or complement away."""
    if not pair.same_shape or pair.scale == 0 or np.iscomplexobj(pair.actual):
        return None
    for function, sentence in _FUNCTIONS:
        if pair.explains(function(pair.actual)):
            return sentence
    return None


RULES: Final[tuple[Callable[[Pair], str | None], ...]] = (
    not_finite,
    axis_of_one,
    transposed,
    reshaped,
    other_sign,
    off_by_one,
    reordered,
    known_factor,
    sample_size,
    not_normalised,
    whole_factor,
    other_function,
    wrong_axis,
    shifted,
)
