"""How Python's containers cross: sequences, mappings, sets; and exceptions, as data.

The other kinds that need nothing but Python come along: `wire_numbers`, `wire_records`.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, deque
from typing import Any

from grader import wire_numbers  # noqa: F401 - teaches the wire its kinds
from grader.limits import MAX_MESSAGE_CHARS
from grader.values import ExceptionValue
from grader.wire import (
    JSON_INT,
    READERS,
    WRITERS,
    Decoder,
    Encoder,
    Node,
    WireError,
    class_name,
    dumps,
    fields,
)
from grader.wire_keys import refuse_slow_keys
from grader.wire_records import field_names, write_record

# Runs of floats or ints as long as this go into a buffer instead of the header.
_PACK_FROM = 32
# A deque reserves 64 places.
_DEQUE_PARTS = 2
_MAX_TYPE_NAMES = 32
_MAX_TYPE_NAME_CHARS = 200


# --- sequences ------------------------------------------------------------------------


def _write_sequence(encoder: Encoder, tag: str, items: list[Any], depth: int) -> Node:
    if len(items) >= _PACK_FROM:
        packed = _pack(encoder, items)
        if packed is not None:
            return [tag + ".packed", packed]
    encode = encoder.encode
    return [tag, [encode(item, depth + 1) for item in items]]


def _pack(encoder: Encoder, items: list[Any]) -> str | None:
    """Put a run of plain floats or of 64-bit ints into a buffer."""
    kinds = set(map(type, items))
    if kinds == {float}:
        code = "d"
    elif kinds == {int} and min(items) > -JSON_INT and max(items) < JSON_INT:
        code = "q"
    else:
        return None
    encoder.spend(len(items))
    encoder.reserve(8 * len(items))
    encoder.add_buffer(memoryview(array(code, items)).cast("B"))
    return code


def _read_packed(decoder: Decoder, node: list[Any], depth: int) -> Any:
    (code,) = fields(node, str)
    if code not in ("d", "q"):
        raise WireError("a run of unknown kind")
    data = decoder.take_buffer()
    if len(data) % 8:
        raise WireError("a run cut short")
    decoder.spend(len(data) // 8 + (_DEQUE_PARTS if node[0] == "deque.packed" else 0))
    items = array(code)
    items.frombytes(data)
    return _SEQUENCES[node[0].removesuffix(".packed")](items)


def _read_sequence(decoder: Decoder, node: list[Any], depth: int) -> Any:
    (items,) = fields(node, list)
    if node[0] == "deque":
        decoder.spend(_DEQUE_PARTS)
    decode = decoder.decode
    return _SEQUENCES[node[0]]([decode(item, depth + 1) for item in items])


def _write_list(encoder: Encoder, value: list[Any], depth: int) -> Node:
    return _write_sequence(encoder, "list", list.__getitem__(value, slice(None)), depth)


def _write_deque(encoder: Encoder, value: deque[Any], depth: int) -> Node:
    encoder.spend(_DEQUE_PARTS)
    return _write_sequence(encoder, "deque", [*deque.__iter__(value)], depth)


def _write_tuple(encoder: Encoder, value: tuple[Any, ...], depth: int) -> Node:
    items = [*tuple.__iter__(value)]
    kind = type(value)
    names = field_names(kind, len(items)) if kind is not tuple else None
    if names is not None:
        return write_record(encoder, "record", kind, names, items, depth)
    return _write_sequence(encoder, "tuple", items, depth)


_SEQUENCES: dict[str, Any] = {"list": list, "tuple": tuple, "deque": deque}


# --- mappings and sets ----------------------------------------------------------------


def _write_dict(encoder: Encoder, value: dict[Any, Any], depth: int) -> Node:
    return _write_pairs(encoder, [*dict.items(value)], depth)


def _write_ordered(encoder: Encoder, value: OrderedDict[Any, Any], depth: int) -> Node:
    # `dict.items` would not know of `move_to_end`.
    keys = [*OrderedDict.__iter__(value)]
    return _write_pairs(encoder, [(key, dict.__getitem__(value, key)) for key in keys], depth)


def _write_pairs(encoder: Encoder, pairs: list[tuple[Any, Any]], depth: int) -> Node:
    encode = encoder.encode
    return ["dict", [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in pairs]]


def _read_dict(decoder: Decoder, node: list[Any], depth: int) -> dict[Any, Any]:
    (pairs,) = fields(node, list)
    decode = decoder.decode
    keys, values = [], []
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2:
            raise WireError("a mapping of no pairs")
        keys.append(decode(pair[0], depth + 1))
        values.append(decode(pair[1], depth + 1))
    refuse_slow_keys(decoder, keys)
    return dict(zip(keys, values, strict=True))


def _write_set(encoder: Encoder, value: Any, depth: int) -> Node:
    base = set if issubclass(type(value), set) else frozenset
    members = []
    for member in base.__iter__(value):
        start = len(encoder.buffers)
        node = encoder.encode(member, depth + 1)
        members.append((node, encoder.buffers[start:]))
        del encoder.buffers[start:]
    if len(members) > 1:  # iteration order is not part of the value
        members.sort(key=lambda member: (dumps(member[0]), b"".join(member[1])))
    for _, buffers in members:
        encoder.buffers += buffers
    return [base.__name__, [node for node, _ in members]]


def _read_set(decoder: Decoder, node: list[Any], depth: int) -> Any:
    (items,) = fields(node, list)
    members = [decoder.decode(item, depth + 1) for item in items]
    refuse_slow_keys(decoder, members)
    return set(members) if node[0] == "set" else frozenset(members)


# --- exceptions -----------------------------------------------------------------------


def describe_exception(error: BaseException) -> ExceptionValue:
    """Return an exception as data; its own `__str__` may do anything, what it says is bounded.

    Raises:
        BaseException: whatever the exception's `__str__` raises.
    """
    mro = type.__dict__["__mro__"].__get__(type(error))
    names = [class_name(cls)[:_MAX_TYPE_NAME_CHARS] for cls in mro if cls is not object]
    # `str()` may answer with a subclass of str.
    message = str.__str__(str(error))[:MAX_MESSAGE_CHARS]
    return ExceptionValue(tuple(names[:_MAX_TYPE_NAMES]), message)


def _write_exception(encoder: Encoder, value: BaseException, depth: int) -> Node:
    plain = describe_exception(value)
    return _write_exception_value(encoder, plain, depth)


def _write_exception_value(encoder: Encoder, value: ExceptionValue, depth: int) -> Node:
    encoder.spend(len(value.type_names))
    return ["exception", list(value.type_names), value.message]


def _read_exception(decoder: Decoder, node: list[Any], depth: int) -> ExceptionValue:
    names, message = fields(node, list, str)
    decoder.spend(len(names))
    if len(names) > _MAX_TYPE_NAMES or not all(type(name) is str for name in names):
        raise WireError("exception names that are no names")
    if any(len(name) > _MAX_TYPE_NAME_CHARS for name in names):
        raise WireError("an exception name of too many letters")
    return ExceptionValue(tuple(names), message[:MAX_MESSAGE_CHARS])


WRITERS.update(
    {
        list: _write_list,
        tuple: _write_tuple,
        deque: _write_deque,
        dict: _write_dict,
        OrderedDict: _write_ordered,
        set: _write_set,
        frozenset: _write_set,
        ExceptionValue: _write_exception_value,
        BaseException: _write_exception,
    }
)
READERS.update(
    {
        "list": _read_sequence,
        "tuple": _read_sequence,
        "deque": _read_sequence,
        "list.packed": _read_packed,
        "tuple.packed": _read_packed,
        "deque.packed": _read_packed,
        "dict": _read_dict,
        "set": _read_set,
        "frozenset": _read_set,
        "exception": _read_exception,
    }
)
