"""Values as bytes: what may cross the wall, encoded without pickle, and refused otherwise.

A value is a JSON header followed by raw buffers. The header holds numbers, strings and
tagged lists; a buffer holds the elements of one array, and buffers follow one another in
the order of the nodes they belong to, so that none is named and none is read twice.
Encoding runs beside a submission and is only polite; **decoding is the border**: it trusts
nothing, allocates nothing before its size was checked, and calls no code that a header
could choose. What `encode` writes `decode` reads: both count the same parts.

Kinds beyond the scalars: `wire_builtin` (containers, exceptions), `wire_numbers`,
`wire_records` (named fields, dates), `wire_arrays` (NumPy), `wire_tensors` (Torch). A
subclass crosses as the plain value of the nearest base known here, its overrides uncalled.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

from grader.limits import (
    MAX_VALUE_BYTES,
    MAX_VALUE_DEPTH,
    MAX_VALUE_HEADER_BYTES,
    MAX_VALUE_NODES,
)

Node = Any  # JSON: None, bool, int, float, str, or a list that begins with its tag
_HEADER_SIZE = struct.Struct("!I")
# Brackets and commas of a header: `[[],[],...` grows thirtyfold when parsed, up to 90 bytes
# for each of them, so they are counted first. Two are enough for each part of a list.
_MAX_MARKS = 2 * MAX_VALUE_NODES
# Numbers in a JSON header stay below the length at which Python refuses to parse them.
JSON_INT = 1 << 63
_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
# The encoder builds trees, so the search for cycles is left out.
dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_parse = json.JSONDecoder().raw_decode


class CannotCross(Exception):
    """A value that may not cross; the sentence names what it is.

    Attributes:
        too_large: the kind is allowed, the amount is not.
    """

    def __init__(self, message: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.too_large = too_large


class WireError(Exception):
    """Bytes that no honest encoder writes."""


class Encoder:
    """Walks one value; holds its buffers and what was spent of each bound."""

    def __init__(self, *, with_grad: bool = True) -> None:
        self.buffers: list[memoryview] = []
        self.with_grad = with_grad
        self.record_types: set[Any] = set()
        self.size = 0
        self._nodes = 0
        self._path: set[int] = set()

    def spend(self, nodes: int) -> None:
        """Count nodes against the bound."""
        self._nodes += nodes
        if self._nodes > MAX_VALUE_NODES:
            raise CannotCross(
                f"the result has over {MAX_VALUE_NODES:,} parts (shared ones count each time)",
                too_large=True,
            )

    def reserve(self, size: int) -> None:
        """Count bytes against the bound, before they are made."""
        self.size += size
        if self.size > MAX_VALUE_BYTES:
            raise CannotCross(
                f"the result takes over {MAX_VALUE_BYTES >> 20} MiB ({self.size:,} bytes)",
                too_large=True,
            )

    def add_buffer(self, data: memoryview) -> None:
        """Keep raw bytes for which `reserve` was called; the next node read takes them."""
        self.buffers.append(data)

    def encode(self, value: object, depth: int = 0) -> Node:
        """Return the node of a value.

        Raises:
            CannotCross: its kind or its size is not allowed.
        """
        kind = type(value)
        if kind is float or kind is str or value is None or kind is bool:
            self.spend(1)
            if kind is str:
                self.reserve(len(value))  # type: ignore[arg-type]
            return value
        if kind is int and -JSON_INT < value < JSON_INT:  # type: ignore[operator]
            self.spend(1)
            return value
        write = _writer_for(kind)
        if write is None:
            raise CannotCross(f"{describe_kind(value)} cannot be returned")
        self.spend(1)
        if depth > MAX_VALUE_DEPTH:
            raise CannotCross(f"the result is nested over {MAX_VALUE_DEPTH} levels deep")
        key = id(value)
        if key in self._path:
            raise CannotCross(f"{describe_kind(value)} that contains itself cannot be returned")
        self._path.add(key)
        try:
            return write(self, value, depth)
        finally:
            self._path.discard(key)


class Decoder:
    """Reads one value back; every node is checked before it is believed."""

    def __init__(self, body: memoryview, sizes: list[Any]) -> None:
        self._body = body
        self._at = 0
        self._sizes = iter(sizes)
        self._nodes = 0
        self.key_work = 0
        self.record_types: dict[Any, type] = {}

    def spend(self, nodes: int) -> None:
        """Count nodes against the bound."""
        self._nodes += nodes
        if self._nodes > MAX_VALUE_NODES:
            raise WireError(f"over {MAX_VALUE_NODES:,} parts")

    def take_buffer(self) -> memoryview:
        """Return the next buffer."""
        size = next(self._sizes, None)
        if type(size) is not int or size < 0:
            raise WireError("a buffer that is not there")
        start, self._at = self._at, self._at + size
        if self._at > len(self._body):
            raise WireError("a buffer beyond the end")
        return self._body[start : self._at]

    def end(self) -> None:
        """Check that nothing is left over."""
        if self._at != len(self._body) or next(self._sizes, None) is not None:
            raise WireError("a buffer that belongs to nothing")

    def decode(self, node: Node, depth: int = 0) -> Any:
        """Return the value of a node.

        Raises:
            WireError: the node is not one an encoder writes.
        """
        if depth > MAX_VALUE_DEPTH + 1:
            raise WireError("nested too deep")
        self.spend(1)
        if type(node) is not list:
            return node
        read = READERS.get(node[0]) if node and type(node[0]) is str else None
        if read is None:
            raise WireError("an unknown tag")
        return read(self, node, depth)


Writer = Callable[[Encoder, Any, int], Node]
Reader = Callable[[Decoder, list[Any], int], Any]
WRITERS: dict[type, Writer] = {}
READERS: dict[str, Reader] = {}
# Looked at in order for classes that WRITERS does not name: dataclasses, exceptions.
WRITERS_BY_SHAPE: list[tuple[Callable[[type], bool], Writer]] = []
# By identity: a metaclass may define `__hash__`. The class is kept, so its id stays its own.
_by_kind: dict[int, tuple[type, Writer | None]] = {}


def _writer_for(kind: type) -> Writer | None:
    known = _by_kind.get(id(kind))
    if known is not None:
        return known[1]
    found = None
    for base in type.__dict__["__mro__"].__get__(kind):
        named = (write for cls, write in WRITERS.items() if cls is base)
        found = next(named, None) or next((w for fits, w in WRITERS_BY_SHAPE if fits(base)), None)
        if found is not None:
            break
    if len(_by_kind) < 4096:
        _by_kind[id(kind)] = kind, found
    return found


def class_name(kind: type) -> str:
    """Return the name of a class, past what its metaclass says."""
    return str(type.__dict__["__name__"].__get__(kind))


def describe_kind(value: object) -> str:
    """Return the kind of a value with its article: `a generator`, `an int`."""
    kind = type(value)
    if kind is type or issubclass(kind, type):
        return "a class"
    name = class_name(kind)[:80]
    return f"{'an' if name[:1].lower() in set('aeiou') else 'a'} {name}"


def fields(node: list[Any], *kinds: type) -> Iterator[Any]:
    """Yield what follows the tag, each of its kind; `object` admits any."""
    if len(node) != len(kinds) + 1:
        raise WireError(f"{len(node) - 1} fields where {len(kinds)} were expected")
    for value, kind in zip(node[1:], kinds, strict=True):
        if kind is not object and type(value) is not kind:
            raise WireError(f"{type(value).__name__} where {kind.__name__} was expected")
    return iter(node[1:])


def encode(value: object, *, with_grad: bool = True) -> bytes:
    """Return the bytes of a value; equal values of equal layout give equal bytes.

    `with_grad=False` leaves out whether a tensor asks for gradients.

    Raises:
        CannotCross: its kind or its size is not allowed.
    """
    encoder = Encoder(with_grad=with_grad)
    try:
        node = encoder.encode(value)
        header = _header_text(node, [len(buffer) for buffer in encoder.buffers])
    except RecursionError:
        raise CannotCross("the result is nested too deep") from None
    if len(header) > MAX_VALUE_HEADER_BYTES:
        raise CannotCross(
            f"the result takes over {MAX_VALUE_HEADER_BYTES >> 20} MiB as text", too_large=True
        )
    head = _HEADER_SIZE.pack(len(header)) + header.encode("ascii")
    return b"".join([head, *encoder.buffers]) if encoder.buffers else head


def _header_text(node: Node, sizes: list[int]) -> str:
    """Return the header; braces, and brackets and commas that are many, only where they mean it."""
    header = dumps([node, sizes])
    if "{" in header or _marks(header) > _MAX_MARKS:
        header = _JSON_STRING.sub(_escape, header)
        if _marks(header) > _MAX_MARKS:
            raise CannotCross("the result has too many parts", too_large=True)
    return header


def _escape(string: re.Match[str]) -> str:
    text = string[0]
    for mark, escape in (("{", "\\u007b"), ("[", "\\u005b"), (",", "\\u002c")):
        text = text.replace(mark, escape)
    return text


def _marks(header: str) -> int:
    return header.count("[") + header.count(",") if len(header) > _MAX_MARKS else 0


def decode(data: bytes | bytearray | memoryview) -> Any:
    """Return the value of bytes that a stranger may have written.

    Memory taken: at most twice the size of `data`, and 512 bytes for each of
    `MAX_VALUE_NODES` parts. Time: linear in both.

    Raises:
        WireError: anything an honest encoder would not write.
    """
    view = memoryview(data).cast("B")
    if len(view) < _HEADER_SIZE.size:
        raise WireError("too short")
    (header_size,) = _HEADER_SIZE.unpack_from(view)
    if header_size > min(MAX_VALUE_HEADER_BYTES, len(view) - _HEADER_SIZE.size):
        raise WireError("a header longer than the value")
    body_at = _HEADER_SIZE.size + header_size
    try:
        node, sizes = _parse_header(str(view[_HEADER_SIZE.size : body_at], "ascii"))
        decoder = Decoder(view[body_at:], sizes)
        value = decoder.decode(node)
        decoder.end()
    except (ValueError, TypeError, ArithmeticError, RuntimeError, LookupError) as error:
        # Libraries refuse what passed our checks with these; the value is not honest either way.
        raise WireError(f"{type(error).__name__}: {str(error)[:200]}") from None
    return value


def _parse_header(header: str) -> tuple[Node, list[Any]]:
    if "{" in header or _marks(header) > _MAX_MARKS:
        raise WireError("an object, or too many parts")
    parsed, end = _parse(header)
    if end != len(header) or type(parsed) is not list:
        raise WireError("a header that is no pair")
    node, sizes = parsed
    if type(sizes) is not list:
        raise WireError("a header without sizes")
    return node, sizes
