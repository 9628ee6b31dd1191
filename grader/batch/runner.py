"""Takes the submissions of a batch through an executor, each once, into the journal."""

from __future__ import annotations

import heapq
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from grader.batch.cache import KeptReport, ReportCache, may_be_kept, report_key
from grader.batch.entries import Entry, UnreadableInput
from grader.batch.executor import Executor, Job
from grader.batch.journal import Journal, OutputRefused
from grader.batch.records import Fault, Record
from grader.batch.tables import NumberTable, number_of
from grader.spec import Problem

# Entries read ahead of the oldest that is not written, for each job judged at a time. Enough
# that one slow submission does not stop the others, few enough to be held.
_AHEAD = 64
_RECENT = 256  # reports held, some 10 KB each; what comes again often comes soon

FindProblem = Callable[[str], Problem | None]


@dataclass(frozen=True)
class _Waiting:
    """An entry whose report is under way, without its source."""

    entry: Entry
    slug: str
    cache_key: str


class BatchRun:
    """One run over one input.

    Args:
        find_problem: the problem of a slug, None for an unknown one.
        in_order: whether records are written in the order of the input.
        on_record: told of each record as it is written.
    """

    def __init__(
        self,
        executor: Executor,
        journal: Journal,
        find_problem: FindProblem,
        *,
        cache: ReportCache | None = None,
        in_order: bool = True,
        static_check: bool = True,
        on_record: Callable[[Record], None] = lambda record: None,
    ) -> None:
        self._executor = executor
        self._journal = journal
        self._find_problem = find_problem
        self._cache = cache
        self._in_order = in_order
        self._static_check = static_check
        self._on_record = on_record
        self._versions = executor.versions
        self._ids = NumberTable()  # id to position
        self._unread: set[int] = set()  # positions where there was nothing to judge
        self._reports = NumberTable()  # spec and source to offset in the journal
        self._specs: dict[str, str] = {}
        self._running: dict[Future[dict[str, Any]], str] = {}
        self._waiting: dict[str, list[_Waiting]] = {}  # the first of each was handed out
        self._ready: list[tuple[int, Record]] = []  # a heap by position
        self._recent: OrderedDict[str, KeptReport] = OrderedDict()

    def run(self, entries: Iterable[Entry]) -> None:
        """Judge what is not recorded yet and write it all.

        Raises:
            OutputLost: the journal cannot be written.
            OutputRefused: the input changed since the journal was begun.
            UnreadableInput: the input ends before its end.
        """
        for offset, record in self._journal.records():
            self._remember(record, offset)
            self._on_record(record)
        try:
            for entry in entries:
                if entry.position in self._journal.done:
                    self._expect_known(entry)
                    continue
                self._take(entry)
                self._write_ready()
                while self._is_full(entry.position):
                    self._collect()
        except UnreadableInput:
            self._finish()  # what came before is good
            raise
        self._finish()

    def _finish(self) -> None:
        while self._running:
            self._collect()

    def _expect_known(self, entry: Entry) -> None:
        """Stop where the input is no longer what was recorded: positions would mean others.

        Raises:
            OutputRefused: the entry was not at its position before.
        """
        if entry.fault is not None or entry.position in self._unread:
            return
        before = self._ids.get(number_of(entry.id.encode("utf-8", "surrogatepass")))
        if before is None or before > entry.position:
            raise OutputRefused(
                f"{self._journal.path} is of another input: {entry.id!r} was not at position"
                f" {entry.position} before; name another output, or --fresh to throw it away"
            )

    def _is_full(self, position: int) -> bool:
        slots = self._executor.slots
        ahead = position - self._journal.done.mark
        return bool(self._running) and (
            len(self._running) >= self._executor.window or ahead >= _AHEAD * slots
        )

    def _take(self, entry: Entry) -> None:
        """Find out what is to be done with an entry, and begin it."""
        fault = entry.fault or self._doubled(entry)
        if fault is None:
            problem = self._problem(entry.slug)
            if problem is None:
                fault = Fault("unknown_problem", f"no problem {entry.slug!r} in the bundle")
        if fault is not None or problem is None or entry.source is None:
            fault = fault or Fault("unreadable", "it has no source")
            self._ready_now(Record(**_about(entry), slug=entry.slug, fault=fault))
            return
        cache_key = report_key(problem.digest, entry.source, self._versions, self._static_check)
        waiting = _Waiting(replace(entry, source=None), problem.slug, cache_key)
        key = f"{problem.digest}:{sha256(entry.source).hexdigest()}"
        if key in self._waiting:
            self._waiting[key].append(waiting)
            return
        kept = self._found(key, cache_key)
        if kept is not None:
            self._ready_now(_judged(waiting, kept, cached=True))
            return
        self._waiting[key] = [waiting]
        job = Job(self._spec(problem), problem.digest, entry.source, self._static_check)
        self._running[self._executor.submit(job)] = key

    def _doubled(self, entry: Entry) -> Fault | None:
        number = number_of(entry.id.encode("utf-8", "surrogatepass"))
        before = self._ids.get(number)
        if before is not None and before != entry.position:
            return Fault("duplicate_id", f"{entry.id!r} stands at position {before} already")
        self._ids.put(number, entry.position)
        return None

    def _problem(self, slug: str) -> Problem | None:
        found = self._find_problem(slug)
        if found is None and "_" in slug:  # a module's name cannot have hyphens
            found = self._find_problem(slug.replace("_", "-"))
        return found

    def _spec(self, problem: Problem) -> str:
        text = self._specs.get(problem.digest)
        if text is None:
            text = self._specs[problem.digest] = json.dumps(problem.raw)
        return text

    def _found(self, key: str, cache_key: str) -> KeptReport | None:
        """A report made before: in this run, or kept from another."""
        if key in self._recent:
            self._recent.move_to_end(key)
            return self._recent[key]
        kept = None
        offset = self._reports.get(number_of(key.encode()))
        if offset is not None:
            report = self._journal.read(offset).report
            if report is not None and _key_of(report) == key:
                kept = KeptReport.of(report)
        if kept is None and self._cache is not None:
            kept = self._cache.find(cache_key)
        if kept is not None:
            self._hold(key, kept)
        return kept

    def _hold(self, key: str, kept: KeptReport) -> None:
        self._recent[key] = kept
        if len(self._recent) > _RECENT:
            self._recent.popitem(last=False)

    # --- collecting and writing -----------------------------------------------------------

    def _collect(self) -> None:
        """Wait for a report and make records of it, one for each entry that waited for it."""
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            key = self._running.pop(future)
            first, *others = self._waiting.pop(key)
            try:
                report = future.result()
            except Exception as error:  # what brings judges down again and again is set aside
                self._set_aside([first, *others], error)
                continue
            kept = KeptReport.of(report)
            if self._cache is not None and may_be_kept(report):
                self._cache.keep(first.cache_key, kept)
            if report["verdict"] != "internal_error":
                self._hold(key, kept)
            self._ready_now(_judged(first, kept, cached=False))
            for waiting in others:
                self._ready_now(_judged(waiting, kept, cached=True))
        self._write_ready()

    def _set_aside(self, waiting: list[_Waiting], error: Exception) -> None:
        """Record that there is no report, and why; the rest goes on."""
        fault = Fault("internal_error", f"{type(error).__name__}: {error}"[:2000])
        for each in waiting:
            self._ready_now(Record(**_about(each.entry), slug=each.slug, fault=fault))

    def _ready_now(self, record: Record) -> None:
        heapq.heappush(self._ready, (record.position, record))

    def _write_ready(self) -> None:
        while self._ready:
            position, record = self._ready[0]
            if self._in_order and position != self._journal.done.mark:
                return
            heapq.heappop(self._ready)
            self._remember(record, self._journal.write(record))
            self._on_record(record)

    def _remember(self, record: Record, offset: int) -> None:
        """Note id and report of a record, so that neither comes twice."""
        if record.fault is not None and record.fault.kind in ("malformed", "unreadable"):
            self._unread.add(record.position)  # its id may be another's, or made up
        elif record.fault is None or record.fault.kind != "duplicate_id":
            self._ids.put(number_of(record.id.encode("utf-8", "surrogatepass")), record.position)
        # A fault of ours is tried again where the submission comes again.
        if record.report is not None and record.report["verdict"] != "internal_error":
            self._reports.put(number_of(_key_of(record.report).encode()), offset)


def _key_of(report: dict[str, Any]) -> str:
    return f"{report['digests']['spec']}:{report['digests']['source']}"


def _about(entry: Entry) -> dict[str, Any]:
    return {
        "position": entry.position,
        "id": entry.id,
        "who": entry.who,
        "path": entry.path,
    }


def _judged(waiting: _Waiting, kept: KeptReport, *, cached: bool) -> Record:
    return Record(
        **_about(waiting.entry),
        slug=waiting.slug,
        report=kept.brief,
        report_text=kept.text,
        cached=cached,
    )
