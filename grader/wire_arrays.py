"""How NumPy values cross: scalars and arrays of plain, object, structured and masked kind."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from grader.limits import MAX_VALUE_BYTES
from grader.wire import (
    READERS,
    WRITERS,
    CannotCross,
    Decoder,
    Encoder,
    Node,
    WireError,
    fields,
)

# Kinds whose elements are their bytes. Objects and structures go element by element and
# field by field: a pointer in a buffer would be the reader's end.
_PLAIN_DTYPE = re.compile(r"[<>|=]?[biufcSUVmM]\d{1,9}(\[\d{0,9}[a-zA-Z]{1,7}\])?")
_MAX_NDIM = 64
_MAX_FIELDS = 256
# Structures inside structures: each level is copied once more.
_MAX_LEVELS = 8
# An array takes about 500 bytes beside its elements.
_ARRAY_PARTS = 2
_MAX_CODE_POINT = 0x10FFFF
# Ten bytes of a long double hold it, six are padding. Elsewhere all sixteen hold it.
_IS_X87 = np.finfo(np.longdouble).nmant == 63 and np.dtype(np.longdouble).itemsize == 16


# --- plain elements -------------------------------------------------------------------


def _write_array(encoder: Encoder, value: Any, depth: int) -> Node:
    array = np.ndarray.view(value, np.ndarray) if type(value) is not np.ndarray else value
    if array.dtype.names is not None:
        return _write_structured(encoder, array, depth)
    if array.dtype.kind == "O":
        return _write_object_array(encoder, array, depth)
    dtype, shape = array.dtype, list(array.shape)
    if not _PLAIN_DTYPE.fullmatch(dtype.str) or not dtype.itemsize:
        raise CannotCross(f"an array of dtype {dtype} cannot be returned")
    encoder.spend(_ARRAY_PARTS)
    encoder.reserve(room_of(shape) * dtype.itemsize)
    order = memory_order(shape, array.strides)
    flat = _normal(np.ascontiguousarray(array.transpose(order)).reshape(-1))
    fault = _fault_of(flat)
    if fault is not None:
        raise CannotCross(f"{fault} cannot be returned")
    encoder.add_buffer(flat.view(np.uint8).data if flat.nbytes else memoryview(b""))
    return ["np.array", dtype.str, shape, order]


def _read_array(decoder: Decoder, node: list[Any], depth: int) -> Any:
    text, shape, order = fields(node, str, list, list)
    if not _PLAIN_DTYPE.fullmatch(text):
        raise WireError("a dtype that may not cross")
    decoder.spend(_ARRAY_PARTS)
    dtype, data = np.dtype(text), decoder.take_buffer()
    sizes = read_shape(shape, dtype.itemsize, len(data))
    inverse = read_order(order, len(sizes))
    stored = tuple(sizes[axis] for axis in order)
    if not data:
        return np.empty(stored, dtype).transpose(inverse)
    flat = np.frombuffer(bytearray(data), dtype)
    fault = _fault_of(flat)
    if fault is not None:
        raise WireError(fault)
    return flat.reshape(stored).transpose(inverse)


def _normal(flat: Any) -> Any:
    """Make what elements hold beside their values the same everywhere."""
    if flat.dtype.kind == "b":
        return flat.view(np.uint8) != 0
    if _is_x87(flat.dtype):
        flat = flat.copy()
        _x87_bytes(flat)[:, 10:] = 0
    return flat


def _fault_of(flat: Any) -> str | None:
    """Name bytes that are no element; to read those is undefined behaviour in C."""
    kind = flat.dtype.kind
    if not flat.size:
        return None
    if kind == "b" and flat.view(np.uint8).max() > 1:
        return "a bool that is neither true nor false"
    if kind == "U" and flat.view(flat.dtype.str[0] + "u4").max() > _MAX_CODE_POINT:
        return "text that is no Unicode"
    if _is_x87(flat.dtype):
        raw = _x87_bytes(flat)
        has_exponent = (raw[:, 8] | raw[:, 9] & 0x7F) != 0
        if (has_exponent != (raw[:, 7] > 0x7F)).any() or raw[:, 10:].any():
            return "a long double that is no number"
    return None


def _is_x87(dtype: Any) -> bool:
    return _IS_X87 and dtype.char in "gG"


def _x87_bytes(flat: Any) -> Any:
    """The bytes of each real number, least significant first: digits, exponent, padding."""
    raw = flat.view(np.uint8).reshape(-1, 16)
    return raw[:, ::-1] if flat.dtype.byteorder == ">" else raw


def room_of(shape: list[int]) -> int:
    """The elements of a shape, a zero counted as one: `(0, 2**60)` is no honest array."""
    return math.prod(n or 1 for n in shape)


def memory_order(shape: list[int], strides: tuple[int, ...]) -> list[int]:
    """Return the axes from slowest to fastest, so that a transposed array stays one.

    An axis of size one has no place in memory; it stays before the axis it precedes.
    """
    axes = range(len(shape))
    if len(shape) < 2 or 0 in shape:
        return [*axes]
    order = sorted((axis for axis in axes if shape[axis] > 1), key=lambda axis: -abs(strides[axis]))
    for axis in reversed(axes):
        if shape[axis] == 1:
            order.insert(order.index(axis + 1) if axis + 1 < len(shape) else len(order), axis)
    return order


def read_order(order: list[Any], ndim: int) -> list[int]:
    """Check a permutation of axes and return its inverse."""
    if len(order) != ndim or not all(type(axis) is int for axis in order):
        raise WireError("an order that is no permutation")
    if sorted(order) != list(range(ndim)):
        raise WireError("an order that is no permutation")
    return sorted(range(ndim), key=order.__getitem__)


def read_sizes(shape: list[Any]) -> list[int]:
    """Check that a shape is one."""
    if len(shape) > _MAX_NDIM or not all(type(n) is int and 0 <= n < 1 << 62 for n in shape):
        raise WireError("a shape that is none")
    return shape


def read_shape(shape: list[Any], itemsize: int, size: int) -> tuple[int, ...]:
    """Check that a shape of elements of `itemsize` bytes takes exactly `size` bytes."""
    sizes = read_sizes(shape)
    if not itemsize or room_of(sizes) * itemsize > MAX_VALUE_BYTES:
        raise WireError("a shape out of bounds")
    if math.prod(sizes) * itemsize != size:
        raise WireError(f"{size} bytes where shape {sizes} takes another number")
    return tuple(sizes)


# --- scalars, objects, masks, structures ----------------------------------------------


def _write_scalar(encoder: Encoder, value: np.generic, depth: int) -> Node:
    array = np.generic.__array__(value)
    if array.dtype.hasobject:
        raise CannotCross("a NumPy object scalar cannot be returned")
    return ["np.scalar", encoder.encode(array, depth + 1)]


def _read_scalar(decoder: Decoder, node: list[Any], depth: int) -> Any:
    (inner,) = fields(node, list)
    array = decoder.decode(inner, depth + 1)
    if type(array) is not np.ndarray or array.shape != () or array.dtype.hasobject:
        raise WireError("a scalar that is no element")
    return array[()]


def _write_object_array(encoder: Encoder, array: Any, depth: int) -> Node:
    if room_of(list(array.shape)) > MAX_VALUE_BYTES // 8:
        raise CannotCross("an array of too many objects", too_large=True)
    encoder.spend(_ARRAY_PARTS + array.size)  # before a repeated one is unfolded
    return ["np.object", [*array.shape], [encoder.encode(x, depth + 1) for x in array.reshape(-1)]]


def _read_object_array(decoder: Decoder, node: list[Any], depth: int) -> Any:
    shape, items = fields(node, list, list)
    decoder.spend(_ARRAY_PARTS + len(items))
    sizes = read_shape(shape, 8, 8 * len(items))
    array = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        array[i] = decoder.decode(item, depth + 1)
    return array.reshape(sizes)


def _write_masked(encoder: Encoder, value: Any, depth: int) -> Node:
    base = np.ndarray.view(value, np.ndarray)
    if base.dtype.names is not None:
        raise CannotCross("a masked array of structured kind cannot be returned")
    mask = np.broadcast_to(np.ma.getmaskarray(value), base.shape)
    return ["np.masked", encoder.encode(base, depth + 1), encoder.encode(mask, depth + 1)]


def _read_masked(decoder: Decoder, node: list[Any], depth: int) -> Any:
    data, mask = (decoder.decode(part, depth + 1) for part in fields(node, list, list))
    if type(data) is not np.ndarray or data.dtype.names is not None:
        raise WireError("a masked array without data")
    if type(mask) is not np.ndarray or mask.dtype != np.bool_ or mask.shape != data.shape:
        raise WireError("a mask that does not fit")
    return np.ma.MaskedArray(data, mask=mask)


def _levels_of(dtype: Any) -> int:
    """How deep structures are nested in a dtype."""
    base = dtype.base
    if base.names is None:
        return 0
    return 1 + max((_levels_of(base[name]) for name in base.names), default=0)


def _write_structured(encoder: Encoder, array: Any, depth: int) -> Node:
    names, shape = array.dtype.names, list(array.shape)
    if len(names) > _MAX_FIELDS or _levels_of(array.dtype) > _MAX_LEVELS:
        raise CannotCross(
            f"a structured array of over {_MAX_FIELDS} fields or {_MAX_LEVELS} levels",
            too_large=True,
        )
    if room_of(shape) > MAX_VALUE_BYTES:
        raise CannotCross("a structured array of too many elements", too_large=True)
    encoder.spend(_ARRAY_PARTS + len(names))
    order = memory_order(shape, array.strides)
    stored = array.transpose(order)
    columns = [[name, encoder.encode(stored[name], depth + 1)] for name in names]
    return ["np.structured", shape, order, columns]


def _read_structured(decoder: Decoder, node: list[Any], depth: int) -> Any:
    shape, order, columns = fields(node, list, list, list)
    inverse = read_order(order, len(read_sizes(shape)))
    sizes = [shape[axis] for axis in order]
    if len(columns) > _MAX_FIELDS or room_of(sizes) > MAX_VALUE_BYTES:
        raise WireError("a structure out of bounds")
    decoder.spend(_ARRAY_PARTS + len(columns))
    described, arrays = [], []
    for column in columns:
        if type(column) is not list or len(column) != 2:
            raise WireError("a field that is no pair")
        name, array = column[0], decoder.decode(column[1], depth + 1)
        # NumPy would invent a name for one that is empty.
        if type(name) is not str or not name:
            raise WireError("a field without a name")
        if type(array) is not np.ndarray or list(array.shape[: len(sizes)]) != sizes:
            raise WireError("a field whose shape does not fit")
        described.append((name, array.dtype, array.shape[len(sizes) :]))
        arrays.append(array)
    dtype = np.dtype(described)
    if _levels_of(dtype) > _MAX_LEVELS:
        raise WireError("structures nested too deep")
    result = np.empty(sizes, dtype=dtype)
    for (name, *_), array in zip(described, arrays, strict=True):
        result[name] = array
    return result.transpose(inverse)


WRITERS.update(
    {np.generic: _write_scalar, np.ndarray: _write_array, np.ma.MaskedArray: _write_masked}
)
# These also derive from Python's own types, which come first in their base classes.
WRITERS.update(dict.fromkeys((np.float64, np.complex128), _write_scalar))
READERS.update(
    {
        "np.scalar": _read_scalar,
        "np.array": _read_array,
        "np.object": _read_object_array,
        "np.structured": _read_structured,
        "np.masked": _read_masked,
    }
)
