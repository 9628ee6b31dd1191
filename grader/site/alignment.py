"""Two summaries of numbers side by side: what stands where, and which places differ."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final

_TOKEN: Final = re.compile(r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf)|True|False")
_BETWEEN: Final = frozenset("[](), ")
_MOST_CELLS: Final = 144

Rows = list[list[str]]


@dataclass(frozen=True)
class Cell:
    """One element. `error` is None where it is within the tolerance."""

    actual: str
    expected: str
    error: float | None
    first: bool = False


@dataclass(frozen=True)
class Aligned:
    """Elements by row; a vector has one row."""

    rows: list[list[Cell]]
    vector: bool

    @property
    def wrong(self) -> int:
        """How many differ."""
        return sum(cell.error is not None for row in self.rows for cell in row)

    @property
    def size(self) -> int:
        """How many there are."""
        return sum(map(len, self.rows))

    @property
    def errors(self) -> list[list[float | None]]:
        """The errors alone."""
        return [[cell.error for cell in row] for row in self.rows]


def align(actual: Any, expected: Any, atol: float, rtol: float) -> Aligned | None:
    """Return two summaries element by element; None unless both show all their numbers alike."""
    found, wanted = _rows(actual), _rows(expected)
    if found is None or wanted is None or [*map(len, found[0])] != [*map(len, wanted[0])]:
        return None
    rows, seen = [], False
    for a_row, e_row in zip(found[0], wanted[0], strict=True):
        cells = []
        for a, e in zip(a_row, e_row, strict=True):
            error = _error(_value(a), _value(e), atol, rtol)
            cells.append(Cell(a, e, error, error is not None and not seen))
            seen = seen or error is not None
        rows.append(cells)
    return Aligned(rows, found[1]) if seen else None


def _rows(summary: Any) -> tuple[Rows, bool] | None:
    """Return the rows a summary shows, and whether it is a vector."""
    if not isinstance(summary, dict):
        return None
    preview = str(summary.get("preview", ""))
    # Anything else between the numbers: a preview that was cut, or no numbers at all.
    if not preview.startswith(("[", "(")) or set(_TOKEN.sub("", preview)) - _BETWEEN:
        return None
    text = _TOKEN.sub(lambda found: f'"{found[0]}"', preview)
    text = re.sub(r",\s*([\])])", r"\1", text.replace("(", "[").replace(")", "]"))
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return _shaped(parts, summary.get("shape"))


def _shaped(parts: list[Any], shape: Any) -> tuple[Rows, bool] | None:
    flat = all(isinstance(part, str) for part in parts)
    if not parts or len(parts) > _MOST_CELLS:
        return None
    if isinstance(shape, list) and len(shape) == 2 and flat:
        down, across = shape
        if not isinstance(down, int) or not isinstance(across, int) or not across:
            return None
        if down * across != len(parts):
            return None
        return [parts[n * across : (n + 1) * across] for n in range(down)], False
    if isinstance(shape, list) and shape != [len(parts)]:
        return None
    if flat:
        return [parts], True
    if all(isinstance(part, list) and part and isinstance(part[0], str) for part in parts) and all(
        isinstance(each, str) for part in parts for each in part
    ):
        return parts, False
    return None


def _value(text: str) -> float:
    return float(text == "True") if text in ("True", "False") else _float(text)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _error(actual: float, expected: float, atol: float, rtol: float) -> float | None:
    """Return how far off an element is, None within the tolerance."""
    if actual == expected or (math.isnan(actual) and math.isnan(expected)):
        return None
    error = abs(actual - expected)
    if math.isfinite(expected) and error <= atol + rtol * abs(expected):
        return None
    return error
