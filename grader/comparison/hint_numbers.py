"""See a number, a list of numbers, an array or a tensor as one array, for guessing about it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from grader.comparison.closeness import block_closeness, to_float
from grader.comparison.grid import Array
from grader.comparison.grids import grid_of
from grader.comparison.kinds import GRIDS, NUMBERS, SEQUENCES, Kind, kind_of
from grader.comparison.plain import elements_of, length_of, plain_number

MAX_ELEMENTS: Final = 1_000_000  # a guess beyond would cost more than the comparison
_MAX_LIST: Final = 10_000  # Python numbers; each costs fifty times an element
# A guess must hold closely: with a loose tolerance any explains anything.
_RTOL: Final = 1e-2
_ATOL_SHARE: Final = 1e-4  # of the largest expected value
_SINGLE_SHARE: Final = 0.02  # 2e-6 of the usual 1e-4; float32 rounds to 1e-7


class Pair:
    """Two arrays of numbers in double precision, and what close means between them.

    Attributes:
        actual: the result, of any shape.
        expected: what was expected, of any shape.
        scale: largest finite magnitude expected.
    """

    def __init__(self, actual: Array, expected: Array, atol: float, rtol: float) -> None:
        self.actual = actual
        self.expected = expected
        finite = np.abs(expected[np.isfinite(expected)])
        self.scale = float(finite.max()) if finite.size else 0.0
        # One number alone is easily explained, so it must be explained well.
        strict = _SINGLE_SHARE if expected.size == 1 else 1.0
        self._atol = min(atol, _ATOL_SHARE * self.scale) * strict
        self._rtol = min(rtol, _RTOL) * strict

    @property
    def same_shape(self) -> bool:
        """Whether both have one shape."""
        return self.actual.shape == self.expected.shape

    def explains(self, guess: Array) -> bool:
        """Tell whether the result, transformed by a guess, is what was expected."""
        if guess.shape != self.expected.shape or guess.size == 0:
            return False
        wide = np.result_type(guess, self.expected)
        close, _ = block_closeness(
            guess.astype(wide), self.expected.astype(wide), self._atol, self._rtol
        )
        return bool(close.all())

    def ratio(self) -> float | None:
        """Return the one factor between actual and expected, None if there is none."""
        if not self.same_shape or self.scale == 0 or np.iscomplexobj(self.actual):
            return None
        large = np.abs(self.expected) > 0.1 * self.scale
        ratios = self.actual[large] / self.expected[large]
        factor = float(np.median(ratios)) if ratios.size else 0.0
        if factor == 0 or not np.isfinite(factor):
            return None
        return factor if self.explains(self.actual / factor) else None


def numbers_of(value: Any) -> Array | None:
    """Return the numbers of a value as float64 or complex128, None if it is something else."""
    kind = kind_of(value)
    if kind in NUMBERS:
        return _wide(np.array(_number(value, kind)))
    if kind in GRIDS:
        return _grid_numbers(value)
    if kind not in SEQUENCES or not 0 < length_of(value, kind) <= _MAX_LIST:
        return None
    parts = list(elements_of(value, kind))
    kinds = [kind_of(part) for part in parts]
    if not all(kind in NUMBERS for kind in kinds):
        return None
    return _wide(np.array([_number(part, kind) for part, kind in zip(parts, kinds, strict=True)]))


def _number(value: Any, kind: Kind) -> float | complex:
    number = plain_number(value, kind)
    return number if isinstance(number, complex) else to_float(number)


def _grid_numbers(value: Any) -> Array | None:
    grid = grid_of(value)
    if grid.layout != "dense" or grid.unreadable or not 0 < grid.size <= MAX_ELEMENTS:
        return None
    block = grid.read(())
    return _wide(block) if block.dtype.kind in "biufc" else None


def _wide(block: Array) -> Array:
    return block.astype(np.complex128 if block.dtype.kind == "c" else np.float64)
