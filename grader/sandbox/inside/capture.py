"""Collects what a submission prints, bounded, a case at a time."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

from grader.limits import MAX_CAPTURED_CHARS

# The widest character takes four bytes.
_KEPT_BYTES = 4 * MAX_CAPTURED_CHARS


class _Sink(io.RawIOBase):
    """Keeps the first bytes and counts the rest."""

    def __init__(self, spend: Callable[[int], None]) -> None:
        super().__init__()
        self._spend = spend
        self.kept = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        room = _KEPT_BYTES - len(self.kept)
        if room > 0:
            self.kept += view[:room]
        self._spend(len(view))
        return len(view)


class Capture:
    """Stands in for the two output streams of a jailed process.

    Args:
        limit_bytes: what one case may print on both streams together.
        stop: called once more is printed; must not return.
    """

    def __init__(self, limit_bytes: int, stop: Callable[[], None]) -> None:
        self._limit = limit_bytes
        self._stop = stop
        self._spent = 0
        self._sinks = (_Sink(self._spend), _Sink(self._spend))
        sys.stdout, sys.stderr = map(_text_stream, self._sinks)
        sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr  # type: ignore[misc]

    def _spend(self, count: int) -> None:
        self._spent += count
        if self._spent > self._limit:
            self._stop()

    def take(self) -> tuple[str, str]:
        """Return what was printed since the last time, and begin anew."""
        texts = [sink.kept.decode("utf-8", "replace")[:MAX_CAPTURED_CHARS] for sink in self._sinks]
        for sink in self._sinks:
            sink.kept.clear()
        self._spent = 0
        return texts[0], texts[1]


def _text_stream(sink: _Sink) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        sink,  # type: ignore[arg-type]  # typeshed wants a name that raw streams lack
        encoding="utf-8",
        errors="backslashreplace",
        write_through=True,
    )
