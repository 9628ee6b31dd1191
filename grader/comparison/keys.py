"""Turn dictionary keys and set members into text that is equal exactly when they are.

Comparing through text keeps three promises: no `__hash__` or `__eq__` of a submission runs, NaN
finds NaN, and crafted hash collisions slow nothing down.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from grader.comparison.exact import EXACT, exact_value
from grader.comparison.kinds import NUMBERS, Kind, kind_of
from grader.comparison.plain import (
    elements_of,
    exception_value,
    plain_bool,
    plain_bytes,
    plain_complex,
    plain_float,
    plain_int,
    plain_text,
)

_MAX_DEPTH: Final = 50  # tuples inside tuples; nobody nests keys deeper
_MAX_PARTS: Final = 100_000  # members of one key


class KeyTooComplex(ValueError):
    """A key is nested too deeply or holds too much to compare."""


def key_text(key: Any) -> str:
    """Return the canonical text of a key.

    Numbers of equal value have one text (`1`, `1.0`, `True`), as under Python's `==`. Objects
    that only identity tells apart have a text of their own.

    Raises:
        KeyTooComplex: a tuple or frozenset too deep or too large.

    Example:
        >>> key_text((True, "a")) == key_text((1.0, "a"))
        True
    """
    return _text(key, _MAX_DEPTH, [_MAX_PARTS])


def numbered(texts: Iterable[str]) -> list[str]:
    """Tell equal texts apart by their count: a dict may hold several NaN keys."""
    seen: dict[str, int] = {}
    result = []
    for text in texts:
        count = seen.get(text, 0)
        seen[text] = count + 1
        result.append(f"{text}#{count}" if count else text)
    return result


def _text(key: Any, depth: int, budget: list[int]) -> str:
    budget[0] -= 1
    if not depth or budget[0] < 0:
        raise KeyTooComplex("a key is too deep or too large to compare")
    kind = kind_of(key)
    if kind is Kind.TEXT:
        return f"s{plain_text(key)}"
    if kind in NUMBERS or kind is Kind.BOOL:
        return _number_text(key, kind)
    if kind is Kind.BYTES:
        return f"y{plain_bytes(key).hex()}"
    if kind is Kind.TUPLE or kind is Kind.FROZENSET:
        parts = [_text(part, depth - 1, budget) for part in elements_of(key, kind)]
        if kind is Kind.FROZENSET:
            parts.sort()
        # Lengths keep ("a", "b") apart from ("a,b",).
        joined = ",".join(f"{len(part)}:{part}" for part in parts)
        return f"{'f' if kind is Kind.FROZENSET else 't'}({joined})"
    return _exact_text(key, kind)


def _number_text(key: Any, kind: Kind) -> str:
    if kind is Kind.INT:
        return f"n{plain_int(key):x}"
    if kind is Kind.BOOL:
        return f"n{int(plain_bool(key)):x}"
    if kind is Kind.FLOAT:
        return f"n{_real_text(plain_float(key))}"
    number = plain_complex(key)
    if number.imag == 0:
        return f"n{_real_text(number.real)}"
    return f"n{_real_text(number.real)}+{_real_text(number.imag)}j"


def _real_text(value: float) -> str:
    if not math.isfinite(value):
        return repr(value)
    return _ratio_text(*value.as_integer_ratio())


def _ratio_text(numerator: int, denominator: int) -> str:
    return f"{numerator:x}" if denominator == 1 else f"{numerator:x}/{denominator:x}"


def _is_short(value: decimal.Decimal) -> bool:
    """Tell whether the ratio of a decimal is worth computing: 1e999999 would never end."""
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and abs(exponent) < 400 and abs(value.adjusted()) < 400


def _exact_text(key: Any, kind: Kind) -> str:
    if kind is Kind.EXCEPTION:
        plain = exception_value(key)
        return f"e{plain.type_names!r}{plain.message!r}"
    if kind is Kind.NONE:
        return "None"
    if kind in (Kind.DATETIME64, Kind.TIMEDELTA64):
        return f"{kind.name}{np.generic.__array__(key)}"
    if kind in EXACT and kind is not Kind.CLASS:
        try:
            plain = exact_value(key, kind)
        except TypeError:
            return f"o{id(key)}"
        if kind is Kind.FRACTION:
            return f"n{_ratio_text(plain.numerator, plain.denominator)}"
        if kind is Kind.DECIMAL and _is_short(plain):
            return f"n{_ratio_text(*plain.as_integer_ratio())}"
        return f"{kind.name}{plain!r}"
    return f"o{id(key)}"
