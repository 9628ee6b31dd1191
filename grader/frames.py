"""Frames on a stream socket: a magic word, a small JSON head, an opaque body.

The same eight lines of format serve both sides of the wall. The host reads frames of a
hostile process, so every length is bounded before anything is allocated for it.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any

from grader.limits import MAX_HEAD_BYTES, MAX_VALUE_BYTES, MAX_VALUE_HEADER_BYTES

MAGIC = b"TJf1"
PREFIX = struct.Struct("!4sIQ")
MAX_BODY_BYTES = MAX_VALUE_BYTES + MAX_VALUE_HEADER_BYTES
_CHUNK = 1 << 20
# A buffer of a larger size is mapped and unmapped for each read.
_SMALL = 1 << 16


class FrameError(Exception):
    """What was read is not a frame; the sentence says why."""


def pack_prefix(head: dict[str, Any], body_size: int) -> bytes:
    """Return the bytes that go before a body of `body_size` bytes."""
    head_bytes = json.dumps(head, separators=(",", ":")).encode("ascii")
    return PREFIX.pack(MAGIC, len(head_bytes), body_size) + head_bytes


def unpack_prefix(data: bytes | bytearray) -> tuple[int, int]:
    """Return the sizes of head and body.

    Raises:
        FrameError: wrong magic word, or a size past its bound.
    """
    magic, head_size, body_size = PREFIX.unpack_from(data)
    if magic != MAGIC:
        raise FrameError("bytes that are no frame")
    if head_size > MAX_HEAD_BYTES:
        raise FrameError(f"a frame head of {head_size} bytes, at most {MAX_HEAD_BYTES} expected")
    if body_size > MAX_BODY_BYTES:
        raise FrameError(f"a frame body of {body_size} bytes, at most {MAX_BODY_BYTES} expected")
    return head_size, body_size


def parse_head(data: bytes | bytearray) -> dict[str, Any]:
    """Return the head as a dictionary.

    Raises:
        FrameError: not JSON, too deep, or not an object.
    """
    try:
        head = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"a frame head that is no JSON: {error}") from None
    if type(head) is not dict:
        raise FrameError("a frame head that is no JSON object")
    return head


class FrameBuffer:
    """Collects bytes until a whole frame is there; one frame at a time."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._sizes: tuple[int, int] | None = None

    @property
    def started(self) -> bool:
        """Whether bytes of an unfinished frame are held."""
        return bool(self._data)

    @property
    def missing(self) -> int:
        """How many bytes are certainly still to come for the current frame."""
        if self._sizes is None:
            return PREFIX.size - len(self._data)
        return PREFIX.size + sum(self._sizes) - len(self._data)

    @property
    def wanted(self) -> int:
        """How many bytes to ask for at a time: a small frame comes whole at the first."""
        return max(_SMALL, min(self.missing, _CHUNK))

    def feed(self, data: bytes) -> tuple[dict[str, Any], memoryview] | None:
        """Take bytes; return head and body once the frame is whole.

        Raises:
            FrameError: the bytes are no frame, or more came than one frame holds.
        """
        self._data += data
        if self._sizes is None and len(self._data) >= PREFIX.size:
            self._sizes = unpack_prefix(self._data)
        if self._sizes is None or self.missing > 0:
            return None
        if self.missing < 0:
            raise FrameError("bytes after the end of a frame")
        data_whole, (head_size, _) = self._data, self._sizes
        self._data, self._sizes = bytearray(), None
        body_at = PREFIX.size + head_size
        return parse_head(data_whole[PREFIX.size : body_at]), memoryview(data_whole)[body_at:]


# Inside the jail only read and write are allowed on the channel: `send` is another system call.


def read_frame(fd: int) -> tuple[dict[str, Any], memoryview]:
    """Read one frame from a blocking descriptor.

    Raises:
        EOFError: the other side is gone.
        FrameError: the bytes are no frame.
    """
    buffer = FrameBuffer()
    while True:
        # Requests and answers take turns, so nothing of a next frame can be waiting.
        data = os.read(fd, buffer.wanted)
        if not data:
            raise EOFError("the channel was closed")
        frame = buffer.feed(data)
        if frame is not None:
            return frame


def write_frame(fd: int, head: dict[str, Any], body: bytes | bytearray | memoryview = b"") -> None:
    """Write one frame to a blocking descriptor."""
    prefix = pack_prefix(head, len(body))
    data = memoryview(prefix + bytes(body) if len(body) < _CHUNK else prefix)
    while data:
        data = data[os.write(fd, data) :]
    if len(body) >= _CHUNK:
        rest = memoryview(body)
        while rest:
            rest = rest[os.write(fd, rest[: 4 * _CHUNK]) :]
