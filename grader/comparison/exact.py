"""Compare values that have no tolerance: decimals, fractions, dates, dtypes, classes (rule 16).

A subclass is first turned into its base's plain value, so that `==` is the base's own.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import zoneinfo
from collections.abc import Callable
from typing import Any, Final

from grader.comparison.kinds import Kind, kind_of
from grader.comparison.plain import plain_int


def exact_value(value: Any, kind: Kind) -> Any:
    """Return the plain value of an exact kind, safe for `==` and `str`.

    Raises:
        TypeError: the value holds parts of unknown classes, such as a foreign time zone.
    """
    return _READERS[kind](value)


def exactly_equal(actual: Any, expected: Any, kind: Kind) -> bool:
    """Tell whether two values of one exact kind are equal; NaN equals NaN (rule 6)."""
    if actual is expected:
        return True
    if kind is Kind.CLASS:
        return False
    try:
        found, wanted = exact_value(actual, kind), exact_value(expected, kind)
    except TypeError:
        return False
    if kind is Kind.DECIMAL and (found.is_nan() or wanted.is_nan()):
        # `==` raises on a signalling NaN.
        return bool(found.is_nan() and wanted.is_nan())
    return bool(found == wanted)


def _fraction(value: Any) -> fractions.Fraction:
    # Built without the constructor, whose gcd takes seconds on a million digits.
    plain = object.__new__(fractions.Fraction)
    for name in ("_numerator", "_denominator"):
        slot = fractions.Fraction.__dict__[name]
        part = slot.__get__(value)
        if kind_of(part) is not Kind.INT:
            raise TypeError(f"Fraction with {name} of no int")
        slot.__set__(plain, plain_int(part))
    return plain


def _zone(zone: Any) -> datetime.tzinfo | None:
    if zone is not None and type(zone) not in (datetime.timezone, zoneinfo.ZoneInfo):
        raise TypeError("a foreign time zone would be asked for its offset")
    return zone  # type: ignore[no-any-return]  # checked above, by class


def _datetime(value: Any) -> datetime.datetime:
    parts = ("year", "month", "day", "hour", "minute", "second", "microsecond")
    read = [_part(datetime.datetime, name, value) for name in parts]
    zone = _zone(_part(datetime.datetime, "tzinfo", value))
    fold = _part(datetime.datetime, "fold", value)
    return datetime.datetime(*read).replace(tzinfo=zone, fold=fold)


def _date(value: Any) -> datetime.date:
    return datetime.date(*(_part(datetime.date, name, value) for name in ("year", "month", "day")))


def _time(value: Any) -> datetime.time:
    parts = ("hour", "minute", "second", "microsecond")
    read = [_part(datetime.time, name, value) for name in parts]
    zone = _zone(_part(datetime.time, "tzinfo", value))
    return datetime.time(*read).replace(tzinfo=zone)


def _timedelta(value: Any) -> datetime.timedelta:
    parts = ("days", "seconds", "microseconds")
    return datetime.timedelta(*(_part(datetime.timedelta, name, value) for name in parts))


def _part(cls: type, name: str, value: Any) -> Any:
    """Return an attribute through the base's own descriptor."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name].__get__(value)
    raise TypeError(name)


def _itself(value: Any) -> Any:
    return value


_READERS: Final[dict[Kind, Callable[[Any], Any]]] = {
    Kind.DECIMAL: decimal.Decimal,
    Kind.FRACTION: _fraction,
    Kind.DATETIME: _datetime,
    Kind.DATE: _date,
    Kind.TIME: _time,
    Kind.TIMEDELTA: _timedelta,
    # These classes cannot be subclassed.
    Kind.RANGE: _itself,
    Kind.NUMPY_DTYPE: _itself,
    Kind.TORCH_DTYPE: _itself,
    Kind.DEVICE: _itself,
    Kind.CLASS: _itself,
}

EXACT: Final = frozenset(_READERS)
