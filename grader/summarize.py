"""Summarise any value as a small piece of JSON, for reports.

The shape, as JSON Schema (`#/$defs/summary`):

    {"type": "object",
     "required": ["type", "preview"],
     "properties": {
       "type": {"type": "string"},            word for the kind: "tensor", "list", "float", "Node"
       "preview": {"type": "string"},         the value as inert text, at most 200 characters
       "fields": {"type": "array", "items": {"type": "string"}},   of a namedtuple
       "length": {"type": "integer"},         of a container, str or bytes
       "shape": {"type": "array", "items": {"type": "integer"}},   of an array or tensor, and
       "dtype": {"type": "string"},           likewise
       "layout": {"type": "string"},          unless dense: "sparse COO", "nested"
       "unreadable": {"type": "string"},      why there are no values
       "min": {"$ref": "#/$defs/number"},     of numeric arrays: of the finite elements;
       "max": {"$ref": "#/$defs/number"},     absent where there are none, or for complex
       "mean": {"$ref": "#/$defs/number"},
       "nan": {"type": "integer"},            number of NaN elements
       "inf": {"type": "integer"},            number of infinite elements
       "sampled": {"type": "integer"},        min to inf cover so many elements, not all
       "masked": {"type": "integer"},         number of masked elements, of no account above
       "stored": {"type": "integer"},         number of values a sparse tensor stores
       "items": {"type": "array", "items": {"$ref": "#/$defs/summary"}},
       "entries": {"type": "array", "items": {
         "type": "object", "required": ["key", "value"], "properties": {
           "key": {"type": "string"}, "value": {"$ref": "#/$defs/summary"}}}},
       "omitted": {"type": "integer"}},       items or entries left out
     "additionalProperties": false}

`number` is a JSON number, or one of the strings "NaN", "Infinity", "-Infinity".
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np

from grader.comparison.grid import Array, Grid, blocks
from grader.comparison.grids import grid_of
from grader.comparison.kinds import GRIDS, SEQUENCES, SETS, Kind, kind_of
from grader.comparison.plain import (
    elements_of,
    length_of,
    named_fields,
    pairs_of,
    plain_bytes,
    plain_text,
    record_fields,
)
from grader.comparison.shown import clip, shown, shown_dtype, shown_type, shown_word
from grader.comparison.tensor_grids import nested_parts

Summary = dict[str, Any]

_PREVIEW: Final = 200  # characters of a value summarised alone
_CHILD_PREVIEW: Final = 60  # characters of one inside a container
# Items summarised of a container, by depth; the first choice that fits the limit is taken.
_CHOICES: Final = ((8, 3, 2), (6, 2), (4,), ())
_MAX_BYTES: Final = 4096  # serialised with every other character escaped
_FIELDS: Final = 8
_CELLS: Final = 12  # elements of an array shown
_STATISTICS: Final = 1 << 22  # elements looked at, some 20 ms
_MAX_AXES: Final = 16
_MASKED: Final = object()


def summarize_obj(obj: object) -> Summary:
    """Return a bounded summary of any value; never raises, and calls nothing of its class.

    Returns:
        JSON of the shape above, under 4 KiB when serialised, without NaN or Infinity literals.

    Example:
        >>> summarize_obj(2.5)
        {'type': 'float', 'preview': '2.5'}
    """
    summary: Summary = {}
    for parts in _CHOICES:
        summary = _summary(obj, 0, parts)
        if "items" not in summary and "entries" not in summary:
            break
        if len(json.dumps(summary)) < _MAX_BYTES:
            break
    return summary


def _summary(value: Any, depth: int, parts: tuple[int, ...]) -> Summary:
    limit = _CHILD_PREVIEW if depth else _PREVIEW
    kind = kind_of(value)
    try:
        if kind in GRIDS:
            with np.errstate(all="ignore"):
                return _grid_summary(value, kind, depth)
        if kind in _PLURAL:
            return _container_summary(value, kind, depth, parts)
        summary: Summary = {"type": shown_type(value, kind), "preview": shown(value, limit)}
        if kind is Kind.TEXT:
            summary["length"] = len(plain_text(value))
        elif kind in (Kind.BYTES, Kind.BYTEARRAY):
            summary["length"] = len(plain_bytes(value))
        return summary
    except Exception as fault:
        # Foreign values may break even a base's own methods.
        reason = f"cannot be read: {type(fault).__name__}"
        return {"type": shown_type(value, kind), "preview": "", "unreadable": reason}


# --- containers -------------------------------------------------------------------------------

_PLURAL: Final = SEQUENCES | SETS | {Kind.DICT, Kind.RECORD}


def _container_summary(value: Any, kind: Kind, depth: int, parts: tuple[int, ...]) -> Summary:
    limit = _CHILD_PREVIEW if depth else _PREVIEW
    summary: Summary = {"type": shown_type(value, kind), "preview": shown(value, limit)}
    fields = record_fields(value) if kind is Kind.RECORD else None
    length = len(fields) if fields is not None else length_of(value, kind)
    summary["length"] = length
    names = named_fields(value) if kind is Kind.TUPLE else None
    if names is not None:
        summary["fields"] = [shown_word(name) for name in names[:_FIELDS]]
    if depth >= len(parts) or not length:
        return summary
    count = min(length, parts[depth])
    if fields is not None or kind is Kind.DICT:
        pairs = _named(fields) if fields is not None else _keyed(value)
        summary["entries"] = [
            {"key": key, "value": _summary(part, depth + 1, parts)}
            for key, part in islice(pairs, count)
        ]
    else:
        shown_parts = islice(elements_of(value, kind), count)
        summary["items"] = [_summary(part, depth + 1, parts) for part in shown_parts]
    if count < length:
        summary["omitted"] = length - count
    return summary


def _named(fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((shown_word(name), part) for name, part in fields.items())


def _keyed(value: Any) -> Iterator[tuple[str, Any]]:
    return ((shown(key, 40), part) for key, part in pairs_of(value))


# --- arrays and tensors -----------------------------------------------------------------------


def _grid_summary(value: Any, kind: Kind, depth: int) -> Summary:
    grid = grid_of(value)
    summary: Summary = {
        "type": kind.value,
        "preview": "",
        "shape": [int(length) for length in grid.shape[:_MAX_AXES]],
        "dtype": shown_dtype(grid.dtype),
    }
    if grid.layout != "dense":
        summary["layout"] = grid.layout
    if grid.unreadable:
        summary["unreadable"] = grid.unreadable
        return summary
    if grid.layout.startswith("sparse"):
        summary["stored"] = grid.stored
        return summary
    if grid.layout == "nested":
        summary["length"] = len(nested_parts(grid))
        return summary
    try:
        summary["preview"] = _cells_preview(grid, _CHILD_PREVIEW if depth else _PREVIEW)
        if grid.size and not _is_symbolic(grid):
            _add_statistics(summary, grid)
    except Exception as fault:
        # No NumPy dtype for it (int4), or bytes that are no character.
        summary["unreadable"] = f"cannot be read: {type(fault).__name__}"
    if grid.mask is not None and grid.mask.dtype.kind == "b":
        summary["masked"] = int(np.count_nonzero(grid.mask))
    return summary


def _is_symbolic(grid: Grid) -> bool:
    """Tell whether the elements are no numbers: text, dates, objects, records."""
    if grid.mask is not None and grid.mask.dtype.kind != "b":
        return True
    return grid.array is not None and grid.array.dtype.kind not in "biufc"


def _cells_preview(grid: Grid, limit: int) -> str:
    """Return the first elements; brackets are not drawn, the shape is told apart."""
    cells = _first_cells(grid)
    text = ", ".join("masked" if cell is _MASKED else shown(cell, 30) for cell in cells)
    rest = ", …" if grid.size > len(cells) else ""
    return clip(f"[{text}{rest}]" if grid.shape else text, limit)


def _first_cells(grid: Grid) -> list[Any]:
    if not grid.size:
        return []
    _, index = next(blocks(grid.shape, _CELLS))
    block = grid.read(index)
    cells = list(block.reshape(-1))
    if block.dtype.kind == "f":
        cells = [_short(cell) for cell in cells]
    if grid.mask is None:
        return cells
    hidden = grid.mask[index].reshape(-1)
    return [_MASKED if bool(flag) else cell for cell, flag in zip(cells, hidden, strict=True)]


def _short(cell: Any) -> float:
    """Return a float at its own precision: 0.1 of float32, not 0.10000000149011612."""
    return float(str(cell)) if np.isfinite(cell) else float(cell)


def _add_statistics(summary: Summary, grid: Grid) -> None:
    seen = _Seen()
    for _, index in blocks(grid.shape):
        block = grid.read(index)
        seen.size += block.size
        seen.add(block if grid.mask is None else block[~grid.mask[index]])
        if seen.size >= _STATISTICS:
            break
    if seen.count:
        summary["min"] = _number(seen.low)
        summary["max"] = _number(seen.high)
        summary["mean"] = _number(seen.total / seen.count)
    summary["nan"] = seen.nan
    summary["inf"] = seen.inf
    if seen.size < grid.size:
        summary["sampled"] = seen.size


class _Seen:
    """Statistics of the blocks so far; complex elements are only counted."""

    def __init__(self) -> None:
        self.size = self.count = self.nan = self.inf = 0
        self.low: Any = math.inf
        self.high: Any = -math.inf
        self.total = 0.0

    def add(self, block: Array) -> None:
        """Count in the elements of one block that have values."""
        if block.dtype.kind in "fc":
            finite = np.isfinite(block)
            if not finite.all():
                nan = int(np.isnan(block).sum())
                self.nan += nan
                self.inf += block.size - int(finite.sum()) - nan
                block = block[finite]
        if block.dtype.kind == "c" or not block.size:
            return
        self.count += block.size
        self.low = min(self.low, block.min().item())
        self.high = max(self.high, block.max().item())
        self.total += float(block.sum(dtype=np.float64))


def _number(value: Any) -> float | int | str:
    """Return a number as JSON can hold it; ints beyond 2**53 would be rounded by readers."""
    if isinstance(value, bool | int) and abs(value) < 1 << 53:
        return int(value)
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return number
