"""Shows how a batch gets on: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from types import TracebackType
from typing import IO, Any, Self

from grader.batch.records import Record
from grader.batch.verdict_words import LETTERS

_LINE_EVERY_S = 5.0


class Progress:
    """Counts records and shows them on a stream. Use as a context manager.

    Args:
        stream: standard error, so that standard output stays for results.
        total: how many submissions there are; None where that is not known.
    """

    def __init__(self, stream: IO[str], total: int | None) -> None:
        self._stream = stream
        self._total = total
        self._verdicts: Counter[str] = Counter()
        self._count = 0
        self._began = self._told = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._bar = _bar(self._stream)
            self._bar.start()
            self._task = self._bar.add_task("", total=self._total, counts="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._show()
            self._bar.stop()

    def add(self, record: Record) -> None:
        """Count a record."""
        self._count += 1
        self._verdicts[record.verdict] += 1
        now = time.monotonic()
        if self._bar is not None:
            if now - self._told > 0.1:
                self._told = now
                self._show()
        elif now - self._told > _LINE_EVERY_S:
            self._told = now
            self._stream.write(self._line(now))
            self._stream.flush()

    def _show(self) -> None:
        rate = self._count / max(time.monotonic() - self._began, 1e-9)
        counts = f"{rate:.0f}/s  {self._counts()}"
        self._bar.update(self._task, completed=self._count, counts=counts)

    def _line(self, now: float) -> str:
        rate = self._count / max(now - self._began, 1e-9)
        total = "" if self._total is None else f" of {self._total}"
        left = ""
        if self._total is not None and rate > 0:
            left = f", {(self._total - self._count) / rate:.0f} s left"
        return f"{self._count}{total}, {rate:.0f}/s{left}; {self._counts()}\n"

    def _counts(self) -> str:
        return " ".join(
            f"{LETTERS.get(verdict, verdict)} {count}"
            for verdict, count in self._verdicts.most_common(6)
        )


def _bar(stream: IO[str]) -> Any:
    from rich import progress
    from rich.console import Console

    return progress.Progress(
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[counts]}"),
        progress.TimeRemainingColumn(),
        console=Console(file=stream),
        transient=True,
    )
