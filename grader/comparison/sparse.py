"""Line up the stored entries of two sparse tensors, without making either dense.

An entry one side lacks is a zero there; entries stored twice are added up (rule 9).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch

from grader.comparison.grid import Array, Grid
from grader.comparison.tensor_grids import as_array, storage_is_whole

# Lining up sorts all entries, in memory proportional to them: some 200 MiB at this number.
MAX_ENTRIES: Final = 1 << 21


@dataclass(frozen=True)
class Entries:
    """Stored entries: `keys` (entries,) are flat positions on the sparse axes `shape`."""

    keys: Array
    values: Array
    shape: tuple[int, ...]


class UnreadableSparse(ValueError):
    """The parts of a sparse tensor do not fit together, or are too many."""


def entries_of(grid: Grid) -> Entries:
    """Return the entries of a sparse tensor.

    Raises:
        UnreadableSparse: indices out of range, freed storage, more than `MAX_ENTRIES` values.
    """
    plain = grid.tensor
    assert plain is not None
    with torch.no_grad(), warnings.catch_warnings():
        # Torch announces that CSR is in beta, to a reader who did not choose it.
        warnings.simplefilter("ignore")
        if plain.layout is torch.sparse_coo:
            return _coo_entries(plain)
        return _compressed_entries(plain)


def aligned(actual: Entries, expected: Entries) -> tuple[Array, Array, Array]:
    """Return the union of the keys, and the values of both sides there."""
    keys, places = np.unique(np.concatenate([actual.keys, expected.keys]), return_inverse=True)
    count = len(actual.keys)
    return (
        keys,
        _spread(actual.values, places[:count], len(keys)),
        _spread(expected.values, places[count:], len(keys)),
    )


def _spread(values: Array, places: Array, length: int) -> Array:
    out = np.zeros((length, *values.shape[1:]), dtype=values.dtype)
    np.add.at(out, places, values)
    return out


def _coo_entries(plain: torch.Tensor) -> Entries:
    indices = _part(plain._indices())
    values = _part(plain._values())
    axes = tuple(plain.shape[: plain.sparse_dim()])
    if indices.shape != (len(axes), values.shape[0]):
        raise UnreadableSparse("its indices do not fit its values")
    keys = np.zeros(values.shape[0], dtype=np.int64)
    for row, length in zip(indices, axes, strict=True):
        if row.size and (row.min() < 0 or row.max() >= length):
            raise UnreadableSparse("its indices are out of range")
        keys = keys * length + row
    return Entries(keys, values, axes)


def _compressed_entries(plain: torch.Tensor) -> Entries:
    """Return the entries of a CSR, CSC, BSR or BSC tensor; one block is one entry."""
    by_rows = plain.layout in (torch.sparse_csr, torch.sparse_bsr)
    pointers = plain.crow_indices() if by_rows else plain.ccol_indices()
    others = plain.col_indices() if by_rows else plain.row_indices()
    parts = [_part(pointers), _part(others), _part(plain.values())]
    try:
        torch._validate_sparse_compressed_tensor_args(
            pointers, others, plain.values(), plain.shape, plain.layout
        )
    except (RuntimeError, IndexError) as fault:
        raise UnreadableSparse("its indices are invalid") from fault
    starts, plains, values = parts
    batch = starts.shape[:-1]
    counts = np.diff(starts, axis=-1).reshape(-1)
    lines = np.repeat(np.arange(counts.size, dtype=np.int64), counts)
    width = int(plains.max()) + 1 if plains.size else 1
    values = values.reshape(lines.size, *values.shape[len(batch) + 1 :])
    length = starts.shape[-1] - 1
    # The width is the shape's own, so that both sides count alike.
    width = max(width, _plain_length(plain, by_rows, len(batch)))
    return Entries(lines * width + plains.reshape(-1), values, (*batch, length, width))


def _plain_length(plain: torch.Tensor, by_rows: bool, batch: int) -> int:
    return int(plain.shape[batch + 1] if by_rows else plain.shape[batch])


def _part(part: torch.Tensor) -> Array:
    """Return the indices or values of a sparse tensor, checked before they are touched."""
    size = math.prod(part.shape)
    if size > MAX_ENTRIES:
        raise UnreadableSparse(f"too large to compare: {size} stored values")
    if part.layout is not torch.strided or part.device.type == "meta":
        raise UnreadableSparse("a meta tensor has no values")
    if size and not storage_is_whole(part):
        raise UnreadableSparse("its storage was freed")
    array: Any = as_array(part.detach())
    return np.asarray(array)
