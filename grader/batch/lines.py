"""Reads submissions from JSON Lines: `{"id": ..., "slug": ..., "source": ..., "who": ...}`."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from grader.batch.entries import Entry, UnreadableInput
from grader.batch.records import Fault
from grader.limits import MAX_SOURCE_BYTES

# Every byte of the longest source may be written as \\u00XX.
_MAX_LINE_BYTES = 8 * MAX_SOURCE_BYTES
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def read_lines(source: str) -> Iterator[Entry]:
    """Yield the submissions of a file or of standard input, never holding more than a line.

    A line that is no submission is a fault of that line, named by its number.

    Raises:
        OSError: the file cannot be opened.
        UnreadableInput: the compression is broken, or of a kind that needs a library.
    """
    with _opened(source) as file:
        number, position = 0, 0
        while True:
            try:
                line = file.readline(_MAX_LINE_BYTES + 1)
            except (OSError, EOFError, zlib.error) as error:
                raise UnreadableInput(f"{source}, after line {number}: {error}") from None
            if not line:
                return
            number += 1
            if len(line) > _MAX_LINE_BYTES:
                _skip_line(file)
                fault = Fault("malformed", f"line {number}: over {_MAX_LINE_BYTES} bytes")
                yield Entry(position, f"line {number}", fault=fault)
            elif not line.strip():
                continue
            else:
                yield _entry(position, number, line)
            position += 1


def _entry(position: int, number: int, line: bytes) -> Entry:
    name = f"line {number}"
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        cut = "" if line.endswith(b"\n") else "; the input ends in the middle of it"
        return Entry(position, name, fault=Fault("malformed", f"{name}: no JSON ({error}){cut}"))
    complaint = _complaint(raw)
    if complaint is not None:
        if isinstance(raw, dict) and isinstance(raw.get("id"), str):
            name = raw["id"]
        return Entry(position, name, fault=Fault("malformed", f"line {number}: {complaint}"))
    source = raw["source"].encode("utf-8", "surrogatepass")[: MAX_SOURCE_BYTES + 1]
    return Entry(position, str(raw["id"]), raw["slug"], raw.get("who"), source)


def _complaint(raw: Any) -> str | None:
    if not isinstance(raw, dict):
        return "an object expected"
    if not isinstance(raw.get("id"), str | int) or isinstance(raw.get("id"), bool):
        return '"id": text or an integer expected'
    for field in ("slug", "source"):
        if not isinstance(raw.get(field), str):
            return f'"{field}": text expected'
    who = raw.get("who")
    return None if who is None or isinstance(who, str) else '"who": text expected'


def _skip_line(file: IO[bytes]) -> None:
    while (rest := file.readline(1 << 16)) and not rest.endswith(b"\n"):
        pass


@contextmanager
def _opened(source: str) -> Iterator[IO[bytes]]:
    """Open an input and see through its compression."""
    with ExitStack() as opened:
        raw: IO[bytes] = (
            sys.stdin.buffer if source == "-" else opened.enter_context(Path(source).open("rb"))
        )
        head = raw.peek(4)[:4]  # type: ignore[attr-defined]
        if head.startswith(_GZIP):
            yield cast("IO[bytes]", opened.enter_context(gzip.GzipFile(fileobj=raw)))
        elif head.startswith(_ZSTD):
            yield _through_zstd(source, raw)
        else:
            yield raw


def _through_zstd(source: str, raw: IO[bytes]) -> IO[bytes]:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise UnreadableInput(f"{source} is compressed by zstd: pip install zstandard") from None
    return io.BufferedReader(_ZstdReader(raw, zstandard))


class _ZstdReader(io.RawIOBase):
    """Decompresses frame after frame, and tells an input that ends in the middle of one.

    The library's own reader takes that for the end.
    """

    def __init__(self, raw: IO[bytes], zstandard: Any) -> None:
        self._raw = raw
        self._library = zstandard
        self._frame: Any = None
        self._ready = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there is something."""
        while not self._ready:
            data = self._raw.read(1 << 13)  # it may grow a thousandfold
            if not data:
                if self._frame is not None:
                    raise EOFError("the compressed input ends before its end")
                return 0
            self._ready = self._decompressed(data)
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _decompressed(self, data: bytes) -> bytes:
        made = []
        while data:
            if self._frame is None:
                self._frame = self._library.ZstdDecompressor().decompressobj()
            try:
                made.append(self._frame.decompress(data))
            except self._library.ZstdError as error:
                raise OSError(str(error)) from None
            data = b""
            if self._frame.eof:
                data, self._frame = self._frame.unused_data, None
        return b"".join(made)
