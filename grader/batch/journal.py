"""The output of a batch, written so that a run killed at any instant goes on where it was.

Each record is appended to the output as one line; a line cut short by a crash is taken off at the
next start and its submission judged again. Beside the output lies `<output>.run`: it says which run
the output is of, and is locked while one is at work.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from grader.batch.records import Record

_FSYNC_EVERY_S = 1.0  # what a power cut may cost; a crash of ours costs nothing


class OutputRefused(Exception):
    """The output cannot be used for this run; the message says why and what to do."""


class OutputLost(Exception):
    """The output cannot be written any more; what was written stays good."""


class Done:
    """Which positions are recorded: all below a mark, and a few beyond it."""

    def __init__(self) -> None:
        self.mark = 0
        self._beyond: set[int] = set()

    def __contains__(self, position: int) -> bool:
        return position < self.mark or position in self._beyond

    def add(self, position: int) -> None:
        """Note a position."""
        self._beyond.add(position)
        while self.mark in self._beyond:
            self._beyond.remove(self.mark)
            self.mark += 1


class Journal:
    """The open output of one run. Use as a context manager.

    Args:
        path: of the output.
        run: what the output depends on, as plain data: input, pattern, problems, versions.
        fresh: throw away what is there.

    Attributes:
        done: positions recorded so far.

    Raises:
        OutputRefused: it is of another run, of no run, or another one is writing it.
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, run: dict[str, Any], *, fresh: bool = False) -> None:
        if path.exists() and not path.is_file():
            raise OutputRefused(f"{path} is no regular file; name another output")
        self.path = path
        self.done = Done()
        self._run_path = path.with_name(path.name + ".run")
        self._lock = self._locked()
        try:
            if fresh:
                path.unlink(missing_ok=True)
                self._truncate_run()
            self._check_run(run)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except BaseException:
            os.close(self._lock)
            raise
        self._size = self._cut_broken_end()
        self._synced = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yield offset and record of what was written before this run, and note its positions."""
        with self.path.open("rb") as file:
            offset = 0
            for line in file:
                record = Record.from_json(line)
                self.done.add(record.position)
                yield offset, record
                offset += len(line)

    def read(self, offset: int) -> Record:
        """Return the record that begins at an offset."""
        with self.path.open("rb") as file:
            file.seek(offset)
            return Record.from_json(file.readline())

    def write(self, record: Record) -> int:
        """Append a record and return its offset.

        Raises:
            OutputLost: the disk is full, say; no half line is left behind.
        """
        line = record.to_json().encode("ascii") + b"\n"
        written = 0
        try:
            while written < len(line):
                written += os.write(self._descriptor, line[written:])
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)
            raise OutputLost(
                f"{self.path}: {error.strerror}; all before it is kept, run the same command again"
            ) from None
        offset, self._size = self._size, self._size + len(line)
        self.done.add(record.position)
        if time.monotonic() - self._synced > _FSYNC_EVERY_S:
            os.fsync(self._descriptor)
            self._synced = time.monotonic()
        return offset

    def close(self) -> None:
        """Bring everything to the disk and let others write."""
        os.fsync(self._descriptor)
        os.close(self._descriptor)
        os.close(self._lock)

    # --- opening ------------------------------------------------------------------------

    def _locked(self) -> int:
        descriptor = os.open(self._run_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise OutputRefused(f"another batch is writing {self.path}") from None
        return descriptor

    def _truncate_run(self) -> None:
        os.ftruncate(self._lock, 0)

    def _check_run(self, run: dict[str, Any]) -> None:
        text = os.pread(self._lock, 1 << 24, 0)
        if not text:
            if self.path.exists() and self.path.stat().st_size:
                self._run_path.unlink(missing_ok=True)
                raise OutputRefused(
                    f"{self.path} is there and of no batch; name another output, or --fresh"
                )
            os.pwrite(self._lock, json.dumps(run).encode(), 0)
            return
        try:
            before = json.loads(text)
        except ValueError:
            before = {}
        if before != json.loads(json.dumps(run)):
            names = [name for name in run if before.get(name) != run[name]] or ["other fields"]
            raise OutputRefused(
                f"{self.path} is of another run (it differs in: {', '.join(names)});"
                " name another output, or --fresh to throw it away"
            )

    def _cut_broken_end(self) -> int:
        """Take off a last line that was not written to its end; return the size that is good."""
        size = os.fstat(self._descriptor).st_size
        end = size
        while end > 0:
            begin = max(0, end - (1 << 16))
            block = os.pread(self._descriptor, end - begin, begin)
            place = block.rfind(b"\n")
            if place >= 0:
                end = begin + place + 1
                break
            end = begin
        if end != size:
            os.ftruncate(self._descriptor, end)
        return end
