"""How Python's numbers cross, exact ones included; text, bytes and ranges."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from grader.wire import (
    JSON_INT,
    READERS,
    WRITERS,
    CannotCross,
    Decoder,
    Encoder,
    Node,
    WireError,
    fields,
)

# A fraction is reduced again when read, in quadratic time: a millisecond for this many.
_MAX_FRACTION_BITS = 1 << 16
# A decimal of a larger exponent, made an int or a ratio by whoever reads it, fills the memory.
_MAX_EXPONENT = 1_000_000
_MAX_DIGITS = 1 << 17
_HEX = re.compile(r"-?0x[0-9a-f]+")


def _write_int(encoder: Encoder, value: int, depth: int) -> Node:
    plain = int.__index__(value) if type(value) is not int else value
    if -JSON_INT < plain < JSON_INT:
        return plain
    encoder.reserve(plain.bit_length() // 4)
    return ["int", hex(plain)]


def _read_int(decoder: Decoder, node: list[Any], depth: int) -> int:
    (text,) = fields(node, str)
    return _from_hex(text)


def _from_hex(text: object) -> int:
    if type(text) is not str or not _HEX.fullmatch(text):
        raise WireError("an int that is no number")
    return int(text, 16)


def _write_float(encoder: Encoder, value: float, depth: int) -> Node:
    return float.__float__(value)


def _write_str(encoder: Encoder, value: str, depth: int) -> Node:
    plain = str.__str__(value)
    encoder.reserve(len(plain))
    return plain


def _write_complex(encoder: Encoder, value: complex, depth: int) -> Node:
    real = complex.__dict__["real"].__get__(value)
    imag = complex.__dict__["imag"].__get__(value)
    return ["complex", real, imag]


def _read_complex(decoder: Decoder, node: list[Any], depth: int) -> complex:
    return complex(*fields(node, float, float))


def _write_bytes(encoder: Encoder, value: bytes | bytearray, depth: int) -> Node:
    tag = "bytes" if issubclass(type(value), bytes) else "bytearray"
    view = memoryview(value)
    encoder.reserve(view.nbytes)
    encoder.add_buffer(memoryview(bytes(view)))
    return [tag]


def _read_bytes(decoder: Decoder, node: list[Any], depth: int) -> bytes | bytearray:
    fields(node)
    data = decoder.take_buffer()
    return bytes(data) if node[0] == "bytes" else bytearray(data)


def _write_range(encoder: Encoder, value: range, depth: int) -> Node:
    parts = (value.start, value.stop, value.step)
    return ["range", *(encoder.encode(part, depth + 1) for part in parts)]


def _read_range(decoder: Decoder, node: list[Any], depth: int) -> range:
    start, stop, step = (decoder.decode(x, depth + 1) for x in fields(node, object, object, object))
    if not all(type(x) is int for x in (start, stop, step)):
        raise WireError("a range of no ints")
    return range(start, stop, step)


def _write_fraction(encoder: Encoder, value: Fraction, depth: int) -> Node:
    slots = Fraction.__dict__
    top, bottom = (slots[name].__get__(value) for name in ("_numerator", "_denominator"))
    if max(top.bit_length(), bottom.bit_length()) > _MAX_FRACTION_BITS:
        raise CannotCross(f"a Fraction of over {_MAX_FRACTION_BITS:,} bits", too_large=True)
    return ["fraction", hex(top), hex(bottom)]


def _read_fraction(decoder: Decoder, node: list[Any], depth: int) -> Fraction:
    top, bottom = map(_from_hex, fields(node, str, str))
    if bottom <= 0 or max(top.bit_length(), bottom.bit_length()) > _MAX_FRACTION_BITS:
        raise WireError("a fraction out of bounds")
    return Fraction(top, bottom)


def _write_decimal(encoder: Encoder, value: Decimal, depth: int) -> Node:
    if _is_too_long(value):
        raise CannotCross(
            f"a Decimal of over {_MAX_DIGITS:,} digits or an exponent over {_MAX_EXPONENT:,}",
            too_large=True,
        )
    text = Decimal.__str__(value)
    encoder.reserve(len(text))
    return ["decimal", text]


def _is_too_long(value: Decimal) -> bool:
    _, digits, exponent = Decimal.as_tuple(value)
    return len(digits) > _MAX_DIGITS or (type(exponent) is int and abs(exponent) > _MAX_EXPONENT)


def _read_decimal(decoder: Decoder, node: list[Any], depth: int) -> Decimal:
    (text,) = fields(node, str)
    if len(text) > _MAX_DIGITS + 32:  # sign, point, exponent
        raise WireError("a decimal of too many digits")
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise WireError("a decimal that is no number") from None
    if _is_too_long(value):
        raise WireError("a decimal out of bounds")
    return value


WRITERS.update(
    {
        type(None): lambda encoder, value, depth: None,
        bool: lambda encoder, value, depth: value,
        int: _write_int,
        float: _write_float,
        complex: _write_complex,
        str: _write_str,
        bytes: _write_bytes,
        bytearray: _write_bytes,
        range: _write_range,
        Fraction: _write_fraction,
        Decimal: _write_decimal,
    }
)
READERS.update(
    {
        "int": _read_int,
        "complex": _read_complex,
        "bytes": _read_bytes,
        "bytearray": _read_bytes,
        "range": _read_range,
        "fraction": _read_fraction,
        "decimal": _read_decimal,
    }
)
