"""How records cross: namedtuples and dataclasses by their field names, dates and times."""

from __future__ import annotations

import dataclasses
import datetime as dt
import operator
from typing import Any

from grader.wire import (
    READERS,
    WRITERS,
    WRITERS_BY_SHAPE,
    CannotCross,
    Decoder,
    Encoder,
    Node,
    WireError,
    class_name,
    fields,
)

# Kinds of record in one value; a class takes about a kilobyte and 100 µs to make.
_MAX_RECORD_TYPES = 64
_MAX_FIELDS = 1_000
_MAX_NAME_CHARS = 200
# `0001-01-01T00:00:00.000000` has 26.
_MAX_DATE_CHARS = 40


# --- named fields ---------------------------------------------------------------------


def field_names(kind: type, count: int) -> list[str] | None:
    """Return the field names of a namedtuple class; None for any other tuple."""
    names = type.__getattribute__(kind, "_fields") if _has_fields(kind) else None
    if type(names) is not tuple or len(names) != count or not all(map(_is_name, names)):
        return None
    return [*names]


def _has_fields(kind: type) -> bool:
    mro = type.__dict__["__mro__"].__get__(kind)
    return any("_fields" in type.__dict__["__dict__"].__get__(base) for base in mro)


def write_record(
    encoder: Encoder, tag: str, kind: type, names: list[str], values: list[Any], depth: int
) -> Node:
    """Return the node of named values; the class gives its name only."""
    title = class_name(kind)
    key = (tag, title, *names)
    encoder.record_types.add(key)
    if len(names) > _MAX_FIELDS or len(encoder.record_types) > _MAX_RECORD_TYPES:
        raise CannotCross(
            f"the result has over {_MAX_FIELDS} fields or {_MAX_RECORD_TYPES} kinds of record",
            too_large=True,
        )
    if not all(map(_is_name, (title, *names))):
        raise CannotCross(f"a {tag} with a field or class of that name cannot be returned")
    if tag == "dataclass":
        encoder.spend(len(names))  # as the decoder does
    return [tag, title, names, [encoder.encode(value, depth + 1) for value in values]]


def _is_dataclass(kind: type) -> bool:
    return "__dataclass_fields__" in type.__dict__["__dict__"].__get__(kind)


def _write_dataclass(encoder: Encoder, value: Any, depth: int) -> Node:
    kind = type(value)
    names = [field.name for field in dataclasses.fields(value)]
    try:
        values = [object.__getattribute__(value, name) for name in names]
    except AttributeError:
        raise CannotCross(
            f"a {class_name(kind)[:80]} of which a field is not set cannot be returned"
        ) from None
    return write_record(encoder, "dataclass", kind, names, values, depth)


class _Record(tuple[Any, ...]):
    """Base of the namedtuples made here: `collections.namedtuple` compiles code of the names."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __repr__(self) -> str:
        pairs = ", ".join(f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({pairs})"

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **changes: Any) -> _Record:
        return type(self)((self._asdict() | changes).values())


def _set_fields(record: Any, *values: Any, **named: Any) -> None:
    names = record.__dataclass_fields__
    record.__dict__.update(zip(names, values, strict=False), **named)


def _show_fields(record: Any) -> str:
    pairs = ", ".join(f"{n}={record.__dict__.get(n)!r}" for n in record.__dataclass_fields__)
    return f"{type(record).__name__}({pairs})"


def _read_record(decoder: Decoder, node: list[Any], depth: int) -> Any:
    tag, (title, names, items) = node[0], fields(node, str, list, list)
    if len(names) != len(items) or len(names) > _MAX_FIELDS:
        raise WireError("a record whose fields do not fit")
    if not all(map(_is_name, (title, *names))) or len(set(names)) != len(names):
        raise WireError("a field name that is no name")
    key = (tag, title, *names)
    kind = decoder.record_types.get(key)
    if kind is None:
        if len(decoder.record_types) >= _MAX_RECORD_TYPES:
            raise WireError("too many kinds of record")
        kind = _make_dataclass(title, names) if tag == "dataclass" else _make_record(title, names)
        decoder.record_types[key] = kind
    values = [decoder.decode(item, depth + 1) for item in items]
    if tag == "record":
        return kind(values)
    decoder.spend(len(names))  # a dictionary for each, beside the values
    return kind(*values)


def _make_record(title: str, names: list[str]) -> type:
    members: dict[str, Any] = {"_fields": tuple(names), "__slots__": ()}
    members |= {name: property(operator.itemgetter(i)) for i, name in enumerate(names)}
    return type(title, (_Record,), members)


def _make_dataclass(title: str, names: list[str]) -> type:
    # With `init`, `repr` and `eq` it would compile code of the names.
    shared = {"__init__": _set_fields, "__repr__": _show_fields, "__doc__": "A record."}
    return dataclasses.make_dataclass(
        title, names, namespace=shared, init=False, repr=False, eq=False
    )


def _is_name(text: object) -> bool:
    """Tell a name that may become an attribute; never one that Python gives a meaning."""
    if type(text) is not str or len(text) > _MAX_NAME_CHARS or not text.isidentifier():
        return False
    return not text.startswith("__") and text not in ("_fields", "_asdict", "_replace")


# --- dates ----------------------------------------------------------------------------


def _offset(value: dt.datetime | dt.time) -> float | None:
    # `isinstance` would ask the value for its class.
    base = dt.datetime if issubclass(type(value), dt.datetime) else dt.time
    offset = base.utcoffset(value)  # type: ignore[arg-type]
    return None if offset is None else offset.total_seconds()


def _write_datetime(encoder: Encoder, value: dt.datetime, depth: int) -> Node:
    plain = dt.datetime.replace(value, tzinfo=None)
    fold = dt.datetime.__dict__["fold"].__get__(value)
    return ["datetime", dt.datetime.isoformat(plain), _offset(value), fold]


def _write_time(encoder: Encoder, value: dt.time, depth: int) -> Node:
    plain = dt.time.replace(value, tzinfo=None)
    fold = dt.time.__dict__["fold"].__get__(value)
    return ["time", dt.time.isoformat(plain), _offset(value), fold]


def _read_moment(decoder: Decoder, node: list[Any], depth: int) -> Any:
    text, offset, fold = fields(node, str, object, int)
    base: Any = dt.datetime if node[0] == "datetime" else dt.time
    zone = None
    if offset is not None:
        if type(offset) is not float:
            raise WireError("an offset that is no number")
        zone = dt.timezone(dt.timedelta(seconds=offset))
    return base.fromisoformat(text[:_MAX_DATE_CHARS]).replace(tzinfo=zone, fold=fold)


def _write_date(encoder: Encoder, value: dt.date, depth: int) -> Node:
    return ["date", dt.date.isoformat(value)]


def _read_date(decoder: Decoder, node: list[Any], depth: int) -> dt.date:
    (text,) = fields(node, str)
    return dt.date.fromisoformat(text[:_MAX_DATE_CHARS])


def _write_timedelta(encoder: Encoder, value: dt.timedelta, depth: int) -> Node:
    parts = dt.timedelta.__dict__
    return ["timedelta", *(parts[p].__get__(value) for p in ("days", "seconds", "microseconds"))]


def _read_timedelta(decoder: Decoder, node: list[Any], depth: int) -> dt.timedelta:
    return dt.timedelta(*fields(node, int, int, int))


WRITERS.update(
    {
        dt.datetime: _write_datetime,
        dt.date: _write_date,
        dt.time: _write_time,
        dt.timedelta: _write_timedelta,
    }
)
WRITERS_BY_SHAPE.append((_is_dataclass, _write_dataclass))
READERS.update(
    {
        "record": _read_record,
        "dataclass": _read_record,
        "datetime": _read_moment,
        "time": _read_moment,
        "date": _read_date,
        "timedelta": _read_timedelta,
    }
)
