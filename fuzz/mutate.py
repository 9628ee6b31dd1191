"""Mutations of valid bytes: blind ones, and ones that know the header is JSON."""

from __future__ import annotations

import json
import struct
from random import Random
from typing import Any

_SIZE = struct.Struct("!I")
_NUMBERS: list[Any] = [
    0, 1, 2, 3, -1, 7, 63, 64, 65, 255, 2**31, 2**32, 2**40, 2**61 - 1, 2**62, 2**63, -(2**63),
    10**30, 0.0, 1.0, -0.0, 2.5, 1e308, float("nan"), float("inf"),
]  # fmt: skip
_TEXTS = [
    "", "a", "\0", "\ud800", "{", "[,", "0x", "0xffffffffffffffffff", "-0x1", "1E+999999999999999",
    "sNaN", "<f8", ">f8", "|b1", "<U2", "<U0", "|S0", "|V0", "|V5", "|O8", "<f16", ">f16", "<c32",
    ">c32", "<M8[ns]", "<M8[0s]", "<m8[999999999as]", "<M8", ">U1", "<f2", "=i4", "<i3",
    "<U999999999", "bool", "float32", "float8_e4m3fn", "complex32", "float8_e8m0fnu", "uint64",
    "qint8", "int1", "coo", "csr", "csc", "bsr", "bsc", "d", "q", "_dynamo", "compiler",
    "meta", "cuda:999", "cpu",
    "9999-12-31T23:59:59.999999", "0001-01-01", "24:00", "2024-W01-1", "class", "self", "__init__",
    "\ufb01", "fi", "_fields", "MISSING", "mro",
]  # fmt: skip
_TAGS = [
    "int", "complex", "bytes", "bytearray", "range", "fraction", "decimal", "list", "tuple",
    "deque", "list.packed", "tuple.packed", "deque.packed", "dict", "set", "frozenset", "record",
    "dataclass", "exception", "datetime", "time", "date", "timedelta", "np.scalar", "np.array",
    "np.object", "np.structured", "np.masked", "tensor", "sparse",
    "torch.size", "torch.dtype", "torch.device",
]  # fmt: skip


def split(data: bytes) -> tuple[Any, bytes]:
    """Return the parsed header and the body of an encoded value."""
    (size,) = _SIZE.unpack_from(data)
    return json.loads(data[4 : 4 + size]), data[4 + size :]


def join(header: Any, body: bytes) -> bytes:
    """Return the bytes of a value with this header."""
    text = json.dumps(header, separators=(",", ":")).replace("{", "\\u007b").encode()
    return _SIZE.pack(len(text)) + text + body


def mutate_bytes(random: Random, data: bytes, other: bytes) -> bytes:
    """Flip, set, cut, repeat or splice bytes."""
    result = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(result) + 1)
        what = random.randrange(6)
        if what == 0 and at < len(result):
            result[at] ^= 1 << random.randrange(8)
        elif what == 1 and at < len(result):
            result[at] = random.choice((0, 1, 0x22, 0x2C, 0x5B, 0x5D, 0x7F, 0x80, 0xFF))
        elif what == 2:
            del result[at : at + random.choice((1, 4, 1 << 20))]
        elif what == 3:
            result[at:at] = result[at : at + random.randrange(1, 64)]
        elif what == 4:
            result = result[:at] + other[random.randrange(len(other) + 1) :]
        else:
            result[at:at] = random.randbytes(random.randrange(1, 9))
    return bytes(result)


def mutate_body(random: Random, data: bytes) -> bytes:
    """Overwrite bytes of the buffers: the header stays true, elements may not be elements."""
    result = bytearray(data)
    (size,) = _SIZE.unpack_from(data)
    for _ in range(random.choice((1, 2, 8))):
        if 4 + size < len(result):
            at = random.randrange(4 + size, len(result))
            length = min(random.choice((1, 1, 4, 8)), len(result) - at)
            byte = random.choice((b"\0", b"\1", b"\2", b"\x7f", b"\x80", b"\xff"))
            result[at : at + length] = random.choice((byte * length, random.randbytes(length)))
    return bytes(result)


def mutate_value(random: Random, data: bytes, other: bytes) -> bytes:
    """Change the header of a value as one who knows the format, and its buffers."""
    header, body = split(data)
    foreign, _ = split(other)
    try:
        for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
            header = _mutate_node(random, header, foreign)
        return _assemble(random, header, body)
    except RecursionError:  # deeper than JSON can be written from here
        deep = b"[" * random.choice((990, 5_000, 100_000))
        return _SIZE.pack(len(deep)) + deep


def _assemble(random: Random, header: Any, body: bytes) -> bytes:
    if body and random.random() < 0.3:
        body = mutate_bytes(random, body, b"\xff\x00")
    if type(header) is list and len(header) == 2 and type(header[1]) is list:
        sizes = header[1]
        if len(sizes) == 1 and random.random() < 0.7:
            # The one size is made to fit, or the body to fit a shape that changed.
            body = body + b"\1" * random.choice((0, 0, 1, 8, 16))
            header[1] = [len(body)]
        elif random.random() < 0.1:
            sizes.append(random.choice((0, 1, len(body), 2**40, -1, True, None)))
    return join(header, body)


def _places(node: Any, found: list[tuple[list[Any], int]]) -> None:
    for index, child in enumerate(node):
        found.append((node, index))
        if type(child) is list:
            _places(child, found)


def _mutate_node(random: Random, header: Any, foreign: Any) -> Any:
    header = json.loads(json.dumps(header))
    if type(header) is not list or not header:
        return [header, []]
    places: list[tuple[list[Any], int]] = []
    _places(header, places)
    parent, index = random.choice(places)
    what = random.randrange(14)
    if what > 8:
        parent[index] = _like(random, parent[index])
    elif what == 0:
        parent[index] = random.choice((None, True, [], [[]], "x", *_NUMBERS[:4]))
    elif what == 1:
        theirs: list[tuple[list[Any], int]] = []
        _places(foreign, theirs)
        source, at = random.choice(theirs)
        parent[index] = source[at]
    elif what == 2:
        del parent[index]
    elif what == 3:
        parent.insert(index, parent[index])
    elif what == 4:
        a, b = random.choice(places)
        parent[index], a[b] = json.loads(json.dumps([a[b], parent[index]]))
    elif what < 7:
        tag = random.choice(("list", "tuple", "frozenset", "set", "np.object"))
        for _ in range(random.choice((1, 3, 60, 70, 200))):
            parent[index] = (
                [tag, [parent[index]]] if tag != "np.object" else [tag, [1], [parent[index]]]
            )
    else:
        parent[index] = [*([parent[index]] * random.choice((2, 5, 30)))]
    return header


def _like(random: Random, value: Any) -> Any:
    """Return another value of the same kind."""
    if type(value) is str:
        return random.choice(_TAGS if value in _TAGS else _TEXTS)
    if type(value) is bool:
        return not value
    if type(value) is int and random.random() < 0.5:
        return max(0, value + random.choice((-1, 1)))
    if type(value) in (int, float):
        return random.choice((*_NUMBERS, value + 1, value - 1, -value, value * 2))
    if type(value) is list and value:
        return random.sample(value, len(value))
    return random.choice(_NUMBERS)
