"""Compare two arrays or tensors: layout, shape, dtype, then values (rules 4 to 9 and 15)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.comparison.closeness import block_closeness, is_identical
from grader.comparison.grid import Array, Grid, Index, blocks, unravel
from grader.comparison.leaves import Outcome
from grader.comparison.shown import shown, shown_dtype
from grader.comparison.sparse import UnreadableSparse, aligned, entries_of


@dataclass
class _Tally:
    """What has been seen of the values so far; positions are flat."""

    mismatches: int = 0
    masked: int = 0
    first: int = -1
    first_shown: tuple[str, ...] = ("", "")
    max_diff: float | None = None
    worst_abs: tuple[float, int] = (-1.0, -1)
    worst_rel: tuple[float, int] = (-1.0, -1)


@dataclass(frozen=True)
class _Rules:
    atol: float
    rtol: float
    is_exact: bool
    tally: _Tally = field(default_factory=_Tally)


def structural_fault(actual: Grid, expected: Grid) -> str:
    """Return what differs before any value is read: layout, shape or dtype; "" if nothing."""
    if actual.layout != expected.layout:
        return f"{actual.layout} layout where {expected.layout} was expected"
    if actual.shape != expected.shape:
        return f"shape {actual.shape} where {expected.shape} was expected"
    if actual.dtype != expected.dtype:
        found, wanted = shown_dtype(actual.dtype), shown_dtype(expected.dtype)
        return f"dtype {found} where {wanted} was expected"
    if actual.unreadable:
        return f"{actual.unreadable} where values were expected"
    return f"values where {expected.unreadable} was expected" if expected.unreadable else ""


def compare_values(actual: Grid, expected: Grid, atol: float, rtol: float) -> Outcome:
    """Compare the values of two grids whose structure agrees."""
    rules = _Rules(
        atol, max(rtol, expected.least_rtol), is_exact=expected.dtype.startswith(("int", "uint"))
    )
    try:
        with np.errstate(all="ignore"):
            if actual.layout.startswith("sparse"):
                return _compare_sparse(actual, expected, rules)
            return _compare_dense(actual, expected, rules)
    except UnreadableSparse as fault:
        return Outcome(f"a sparse tensor that cannot be read: {fault}", is_structural=True)
    except (RuntimeError, TypeError, ValueError, MemoryError) as fault:
        # Torch raises RuntimeError for what a dtype lacks; NumPy TypeError and ValueError.
        name = f"values of dtype {shown_dtype(expected.dtype)} that cannot be compared"
        return Outcome(f"{name} ({type(fault).__name__})", is_structural=True)


def _compare_dense(actual: Grid, expected: Grid, rules: _Rules) -> Outcome:
    for start, index in blocks(expected.shape):
        masks = (_cut(actual.mask, index), _cut(expected.mask, index))
        _tally_block(rules, start, actual.read(index), expected.read(index), masks)
    return _verdict(rules, expected.size, expected.shape)


def _compare_sparse(actual: Grid, expected: Grid, rules: _Rules) -> Outcome:
    ours, wanted = entries_of(actual), entries_of(expected)
    if ours.values.shape[1:] != wanted.values.shape[1:]:
        found, asked = ours.values.shape[1:], wanted.values.shape[1:]
        return Outcome(f"blocks {found} where {asked} were expected", is_structural=True)
    if ours.shape != wanted.shape:
        # The same shape, cut into sparse and dense axes elsewhere.
        found, asked = ours.shape, wanted.shape
        return Outcome(f"sparse axes {found} where {asked} was expected", is_structural=True)
    keys, left, right = aligned(ours, wanted)
    for start, index in blocks(right.shape):
        _tally_block(rules, start, left[index], right[index], (None, None))
    shape = (*wanted.shape, *right.shape[1:])
    inner = math.prod(right.shape[1:])

    def place(flat: int) -> int:
        entry, rest = divmod(flat, inner)
        return int(keys[entry]) * inner + rest

    tally = rules.tally
    if tally.mismatches:
        tally.first = place(tally.first)
        tally.worst_abs = (tally.worst_abs[0], place(tally.worst_abs[1]))
        tally.worst_rel = (tally.worst_rel[0], place(tally.worst_rel[1]))
    return _verdict(rules, right.size, shape)


def _cut(mask: Array | None, index: Index) -> Array | None:
    return mask if mask is None or not index else mask[index]


def _tally_block(
    rules: _Rules,
    start: int,
    actual: Array,
    expected: Array,
    masks: tuple[Array | None, Array | None],
) -> None:
    """Add one block to the tally; `start` is the flat position of its first element."""
    tally = rules.tally
    hidden = [mask for mask in masks if mask is not None and mask.any()]
    if not hidden and is_identical(actual, expected):
        if expected.dtype.kind in "biufc":
            tally.max_diff = tally.max_diff or 0.0
        return
    close, distance = block_closeness(actual, expected, rules.atol, rules.rtol)
    wrong = ~close
    if hidden:
        without = np.logical_or.reduce(hidden)
        wrong = wrong | without
        tally.masked += int(without.sum())
    if distance is not None and not hidden:
        # np.max keeps NaN, and so does this: a NaN anywhere is the worst difference.
        tally.max_diff = _worse(tally.max_diff, float(np.max(distance)))
    if not wrong.any():
        return
    first = int(np.argmax(wrong))
    if not tally.mismatches:
        tally.first = start + first
        tally.first_shown = tuple(
            "masked" if mask is not None and mask.reshape(-1)[first] else shown(part, 60)
            for part, mask in zip(_pair(actual, expected, first), masks, strict=True)
        )
    tally.mismatches += int(wrong.sum())
    if distance is not None:
        _tally_worst(tally, start, wrong, distance, expected)


def _pair(actual: Array, expected: Array, place: int) -> tuple[Any, Any]:
    # One element of a string array is an object of Python's; reading a block would make many.
    return actual.reshape(-1)[place], expected.reshape(-1)[place]


def _worse(seen: float | None, new: float) -> float:
    if seen is None or math.isnan(new):
        return new
    return seen if math.isnan(seen) else max(seen, new)


def _tally_worst(tally: _Tally, start: int, wrong: Array, distance: Array, expected: Array) -> None:
    """Keep the largest absolute and relative distance among mismatched elements."""
    size = np.abs(expected).astype(np.float64)
    relative = np.where(np.isinf(size), np.inf, distance / size)
    tally.worst_abs = _worst(tally.worst_abs, start, np.where(wrong, distance, -1.0))
    tally.worst_rel = _worst(tally.worst_rel, start, np.where(wrong, relative, -1.0))


def _worst(seen: tuple[float, int], start: int, values: Array) -> tuple[float, int]:
    place = int(np.argmax(values))  # NaN counts as the maximum
    value = float(values.reshape(-1)[place])
    is_worse = value > seen[0] or (math.isnan(value) and not math.isnan(seen[0]))
    return (value, start + place) if is_worse else seen


def _verdict(rules: _Rules, total: int, shape: tuple[int, ...]) -> Outcome:
    tally = rules.tally
    if not tally.mismatches:
        return Outcome(max_diff=tally.max_diff)
    index = str(unravel(tally.first, shape)) if shape else ""
    at_index = f" at index {index}" if shape else ""
    share = 100 * tally.mismatches / total
    found, wanted = tally.first_shown
    parts = [f"first {found} where {wanted} was expected{at_index}"]
    if tally.masked:
        parts.append(f"{tally.masked} masked, and a masked element matches nothing")
    elif tally.max_diff is not None:
        parts += _worst_parts(tally, shape)
        parts.append(f"tolerance {_tolerance(rules)}")
    noun = "element differs" if total == 1 else "elements differ"
    return Outcome(
        f"{tally.mismatches} of {total} {noun} ({share:.3g}%)",
        detail="; ".join(parts),
        index=index,
        max_diff=tally.max_diff,
    )


def _tolerance(rules: _Rules) -> str:
    if rules.is_exact:
        return "none, ints are exact"
    return f"{rules.atol:g} + {rules.rtol:g} * |expected|"


def _worst_parts(tally: _Tally, shape: tuple[int, ...]) -> list[str]:
    parts = []
    for name, (value, flat) in (("absolute", tally.worst_abs), ("relative", tally.worst_rel)):
        place = f" at index {unravel(flat, shape)}" if shape else ""
        parts.append(f"worst {name} difference {value:.6g}{place}")
    return parts
