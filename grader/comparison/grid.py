"""Read arrays and tensors, of any class, dtype and layout, block by block as plain NumPy arrays.

A result can be hostile without holding a line of code: a storage freed under its tensor (reading
it is a crash), 10**12 elements expanded from one, a class whose every method is overridden. A
`Grid` is what remains when that is stripped or refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy.typing as npt
import torch

Array = npt.NDArray[Any]
Index = tuple[int | slice, ...]

BLOCK: Final = 1 << 18  # elements; with all temporaries of a comparison some 30 MiB


# Default relative tolerances of torch.testing.assert_close; one unit in the last place of half
# precision is beyond the usual 1e-4 (rule 5).
_LEAST_RTOL: Final = {
    "float16": 1e-3,
    "complex32": 1e-3,
    "bfloat16": 1.6e-2,
}


@dataclass(frozen=True)
class Grid:
    """An array or tensor as the rules see it.

    Attributes:
        shape: lengths of the axes.
        dtype: name; two grids have one dtype when the names are equal (rule 8).
        layout: "dense", "sparse COO", ..., "nested" (rule 9).
        read: returns a block, given one index or slice per leading axis.
        unreadable: why there are no values, "" when there are.
        mask: True where a masked array has no value, None without a mask.
        tensor: the plain tensor behind it, for sparse and nested layouts.
        array: the plain array behind it, for dtypes whose elements are compared as values.
    """

    shape: tuple[int, ...]
    dtype: str
    layout: str
    read: Callable[[Index], Array]
    unreadable: str = ""
    mask: Array | None = None
    tensor: torch.Tensor | None = None
    array: Array | None = None

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def stored(self) -> int:
        """Number of values a sparse tensor stores, 0 for other layouts."""
        if self.tensor is None or self.layout == "nested":
            return 0
        is_coo = self.tensor.layout is torch.sparse_coo
        values = self.tensor._values() if is_coo else self.tensor.values()
        return math.prod(values.shape)

    @property
    def work(self) -> int:
        """Cost of comparing the values, in elements of eight bytes."""
        if self.tensor is not None:
            # Stored entries are sorted, which costs more than looking at them.
            return 64 * self.stored
        width = 1 if self.array is None else max(1, self.array.itemsize // 8)
        cells = 256 if self.array is not None and self.array.dtype.kind in "OT" else width
        return self.size * cells

    @property
    def least_rtol(self) -> float:
        """The relative tolerance that the precision of the dtype asks for at least."""
        return _LEAST_RTOL.get(self.dtype, 0.0)


def blocks(shape: tuple[int, ...], limit: int = BLOCK) -> Iterator[tuple[int, Index]]:
    """Cut a shape into blocks of at most `limit` elements that are contiguous in C order.

    Yields:
        The flat position of the block's first element, and its index.

    Example:
        >>> list(blocks((2, 3), limit=3))
        [(0, (slice(0, 1, None),)), (3, (slice(1, 2, None),))]
    """
    size = math.prod(shape)
    if size <= limit:
        if size:
            yield 0, ()
        return
    axis = next(k for k in range(len(shape)) if math.prod(shape[k + 1 :]) <= limit)
    inner = math.prod(shape[axis + 1 :])
    step = max(1, limit // inner)
    start = 0
    # Not itertools.product, which would first write out an axis of 10**12.
    for position in range(math.prod(shape[:axis])):
        leading = unravel(position, shape[:axis])
        for low in range(0, shape[axis], step):
            high = min(low + step, shape[axis])
            yield start, (*leading, slice(low, high))
            start += (high - low) * inner


def unravel(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the index of a flat position, in Python ints of any size."""
    index: list[int] = []
    for length in reversed(shape):
        flat, position = divmod(flat, length)
        index.append(position)
    return tuple(reversed(index))
