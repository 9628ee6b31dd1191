"""Write any value as one short, inert piece of text.

Reports are read in terminals and browsers, so nothing a submission returns may reach them raw:
`repr` of an exact `str` escapes control characters, bidi marks and lone surrogates, and no
`__repr__` but that of built-in types is called.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np

from grader.comparison.array_grids import array_dtype
from grader.comparison.exact import EXACT, exact_value
from grader.comparison.grid import Array
from grader.comparison.grids import grid_of
from grader.comparison.kinds import GRIDS, NUMBERS, SEQUENCES, SETS, Kind, class_name, kind_of
from grader.comparison.plain import (
    elements_of,
    exception_value,
    length_of,
    pairs_of,
    plain_bool,
    plain_bytes,
    plain_complex,
    plain_float,
    plain_int,
    plain_text,
    raised_value,
    record_fields,
)

CLIP: Final = 80  # characters; a longer value no longer reads at a glance
_ITEMS: Final = 6  # elements of a container shown
_DEPTH: Final = 2  # containers inside containers shown
_EXACT_BITS: Final = 2000  # str() of a longer int is slow, and refused above 4,300 digits


def clip(text: str, limit: int = CLIP) -> str:
    """Return `text` cut in the middle to at most `limit` characters."""
    if len(text) <= limit:
        return text
    head = (limit - 1) * 2 // 3
    return f"{text[:head]}…{text[len(text) - (limit - 1 - head) :]}"


def shown_text(text: str, limit: int = CLIP) -> str:
    """Return a string quoted, escaped and clipped.

    Decomposed letters are escaped as well: `'cafe\\u0301'` would look like its composed twin.
    """
    part = clip(text, limit)
    quoted = repr(part)
    if unicodedata.normalize("NFC", part) != part:
        quoted = ascii(part)
    return clip(quoted, limit)


def shown_word(text: str, limit: int = 40) -> str:
    """Return a name, quoted only where it is not an ordinary identifier."""
    part = clip(text, limit)
    return part if part.isascii() and part.replace(".", "_").isidentifier() else shown_text(part)


def shown_int(value: int) -> str:
    """Return an int; of a long one the first and last digits and how many there are."""
    if value.bit_length() <= _EXACT_BITS:
        text = str(value)
        digits = len(text.lstrip("-"))
        return text if len(text) <= 40 else f"{text[:20]}…{text[-8:]} ({digits} digits)"
    size = abs(value)
    shift = size.bit_length() - 64
    exponent = math.log10(size >> shift) + shift * math.log10(2)
    digits = math.floor(exponent) + 1
    # A double cannot place a power of ten; there, and only there, compare exactly.
    if abs(exponent - round(exponent)) < 1e-6:
        digits = round(exponent) + (1 if size >= 10 ** round(exponent) else 0)
    # Just below a power of ten the rounded exponent would give 10.0000.
    leading = f"{min(10 ** (exponent - digits + 1), 9.9999):.4f}"
    return f"{'-' if value < 0 else ''}{leading}e+{digits - 1} ({digits} digits)"


def shown_type(value: object, kind: Kind | None = None) -> str:
    """Return the word for what `value` is: `list`, `tensor`, or its class's own name."""
    kind = kind or kind_of(value)
    return shown_word(class_name(type(value))) if kind is Kind.OTHER else kind.value


def shown(value: Any, limit: int = CLIP) -> str:
    """Return any value as text of at most `limit` characters; never raises."""
    try:
        return clip(_shown(value, _DEPTH, limit), limit)
    except Exception as fault:
        # Foreign values may break even a base's own methods.
        return f"<{shown_type(value)} that cannot be shown: {type(fault).__name__}>"


def described(value: Any, kind: Kind) -> str:
    """Return what was found, for a message: `list of length 2`, `float 0.5`, `None`."""
    if kind in SEQUENCES or kind in SETS or kind is Kind.DICT:
        return f"{kind.value} of length {length_of(value, kind)}"
    if kind in GRIDS:
        return _shown_grid(value, kind)
    if kind in NUMBERS or kind in (Kind.BOOL, Kind.TEXT, Kind.BYTES):
        return f"{kind.value} {shown(value)}"
    if kind is Kind.RAISED:
        return f"{_shown_exception(raised_value(value))} raised"
    return shown_type(value, kind)


def _shown(value: Any, depth: int, limit: int) -> str:
    kind = kind_of(value)
    if kind is Kind.FLOAT:
        return repr(plain_float(value))
    if kind is Kind.INT:
        return shown_int(plain_int(value))
    if kind is Kind.TEXT:
        return shown_text(plain_text(value), limit)
    if kind in EXACT and kind is not Kind.CLASS:
        return _shown_exact(value, kind)
    if kind in _SIMPLE:
        return str(_SIMPLE[kind](value))
    if kind in SEQUENCES or kind in SETS or kind is Kind.DICT:
        return _shown_container(value, kind, depth, limit)
    if kind in GRIDS:
        return _shown_grid(value, kind)
    if kind is Kind.VOID:
        return _shown_record(np.generic.__array__(value), depth, limit)
    if kind is Kind.RECORD:
        fields = record_fields(value)
        inner = ", ".join(
            f"{shown_word(name)}={_nested(part, depth, limit)}"
            for name, part in islice(fields.items(), _ITEMS)
        )
        return f"{shown_word(class_name(type(value)))}({inner})"
    return shown_type(value, kind)


def _shown_container(value: Any, kind: Kind, depth: int, limit: int) -> str:
    length = length_of(value, kind)
    opening, closing = _BRACKETS.get(kind, (f"{kind.value}(", ")"))
    if kind is Kind.DICT:
        parts = (
            f"{_nested(key, depth, limit)}: {_nested(part, depth, limit)}"
            for key, part in pairs_of(value)
        )
    else:
        parts = (_nested(part, depth, limit) for part in elements_of(value, kind))
    inner = ", ".join(_first(parts, length))
    comma = "," if kind is Kind.TUPLE and length == 1 else ""
    return f"{opening}{inner}{comma}{closing}"


def _shown_record(record: Array, depth: int, limit: int) -> str:
    names = record.dtype.names
    if names is None:
        return repr(record.tobytes()[:CLIP])
    parts = (_nested(record[name][()], depth, limit) for name in names)
    return f"({', '.join(_first(parts, len(names)))})"


def _first(parts: Iterator[str], length: int) -> Iterator[str]:
    yield from islice(parts, _ITEMS)
    if length > _ITEMS:
        yield f"… {length} in all"


def _nested(value: Any, depth: int, limit: int) -> str:
    return _shown(value, depth - 1, limit) if depth else shown_type(value)


def _shown_grid(value: Any, kind: Kind) -> str:
    grid = grid_of(value)
    layout = "" if grid.layout == "dense" else f"{grid.layout} "
    return f"{layout}{kind.value} of shape {grid.shape}, {shown_dtype(grid.dtype)}"


def shown_dtype(name: str) -> str:
    """Return a dtype's name; field names in it are the submission's text."""
    part = clip(name)
    return part if part.isascii() and part.isprintable() else ascii(part)


def _shown_exception(value: Any) -> str:
    plain = exception_value(value)
    return f"{shown_word(plain.type_name)}({shown_text(plain.message)})"


def _shown_exact(value: Any, kind: Kind) -> str:
    plain = exact_value(value, kind)
    if kind is Kind.FRACTION:
        return f"{shown_int(plain.numerator)}/{shown_int(plain.denominator)}"
    if kind is Kind.RANGE:
        bounds = (plain.start, plain.stop, plain.step)
        return f"range({', '.join(map(shown_int, bounds))})"
    if kind is Kind.NUMPY_DTYPE:
        return shown_dtype(array_dtype(plain, [_ITEMS]))
    return str(plain)


def _shown_time64(value: Any) -> str:
    return str(np.generic.__array__(value))


_BRACKETS: Final = {
    Kind.TUPLE: ("(", ")"),
    Kind.LIST: ("[", "]"),
    Kind.DICT: ("{", "}"),
    Kind.SET: ("{", "}"),
}

_SIMPLE: Final[dict[Kind, Any]] = {
    Kind.NONE: repr,
    Kind.BOOL: plain_bool,
    Kind.COMPLEX: plain_complex,
    Kind.BYTES: lambda value: repr(plain_bytes(value)[:CLIP]),
    Kind.BYTEARRAY: lambda value: repr(bytearray(plain_bytes(value)[:CLIP])),
    Kind.RAISED: lambda value: f"raised {_shown_exception(raised_value(value))}",
    Kind.EXCEPTION: lambda value: _shown_exception(value),
    Kind.CLASS: lambda value: f"class {shown_word(class_name(value))}",
    Kind.DATETIME64: _shown_time64,
    Kind.TIMEDELTA64: _shown_time64,
}
