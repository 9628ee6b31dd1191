"""Strip arrays of any class, dtype and mask to grids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np

from grader.comparison.grid import Array, Grid, Index
from grader.comparison.kinds import has_base
from grader.comparison.plain import mask_of

_MAX_FIELDS: Final = 200  # a dtype of 60 nested pairs has 2**60 fields and no bytes


def base_array(value: Any) -> Array:
    """Return the plain array under an array of any class, without a copy."""
    return value if type(value) is np.ndarray else np.ndarray.view(value, np.ndarray)


def array_grid(value: Any) -> Grid:
    plain = base_array(value)
    # Structured arrays are read field by field; asking a nested dtype may take for ever.
    native = plain.dtype.names is not None or plain.dtype.isnative

    def read(index: Index) -> Array:
        block: Array = plain[index] if index else plain
        if not native:
            block = block.astype(plain.dtype.newbyteorder("="))
        return block

    dtype = array_dtype(plain.dtype, [_MAX_FIELDS])
    return Grid(plain.shape, dtype, "dense", read, mask=_mask_grid(value, plain), array=plain)


def array_dtype(dtype: np.dtype[Any], budget: list[int]) -> str:
    """Return a dtype's name apart from byte order and the width of strings (rule 8).

    Past the budget of fields the name stops; fields are compared one by one later anyway.
    """
    budget[0] -= 1
    if budget[0] < 0:
        return "…"
    if dtype.names is not None:
        names = islice(dtype.names, _MAX_FIELDS)
        fields = (f"{name!r}: {array_dtype(dtype[name], budget)}" for name in names)
        return "{" + ", ".join(fields) + "}"
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return f"{array_dtype(base, budget)}{list(shape)}"
    if dtype.kind in "US":
        return "str" if dtype.kind == "U" else "bytes"
    return dtype.name


def _mask_grid(value: Any, plain: Array) -> Array | None:
    stored = mask_of(value)
    if stored is None or stored is np.ma.nomask:
        return None
    if not has_base(stored, np.ndarray):
        return None
    mask = base_array(stored)
    if mask.dtype.names is None and mask.dtype.kind != "b":
        return np.broadcast_to(np.array(True), plain.shape)
    return mask if mask.shape == plain.shape else np.broadcast_to(np.array(True), plain.shape)


def array_fields(grid: Grid) -> Iterator[tuple[str, Array]]:
    """Yield the fields of a structured array, each with its part of the mask."""
    assert grid.array is not None
    for name in grid.array.dtype.names or ():
        part = grid.array[name]
        if grid.mask is not None:
            mask = grid.mask if grid.mask.dtype.names is None else grid.mask[name]
            # A field of subarrays has axes that a mask per record lacks.
            mask = mask.reshape(mask.shape + (1,) * (part.ndim - mask.ndim))
            part = np.ma.MaskedArray(part, mask=np.broadcast_to(mask, part.shape))
        yield name, part


def array_cells(grid: Grid) -> Iterator[tuple[str, Any]]:
    """Yield the index, as text, and the element of every cell of an object array."""
    assert grid.array is not None
    for index in np.ndindex(grid.array.shape):
        yield ", ".join(map(str, index)), grid.array[index]
