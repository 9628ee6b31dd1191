"""Takes submissions out of the store, has them judged, and puts the reports back.

The row in the store is the queue. A submission is claimed for a while; if this process dies, the
claim runs out and the next one takes it up. So nothing is lost and nothing gets two results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from structlog.contextvars import bound_contextvars

from grader.batch.executor import Executor, Job
from grader.errors import GraderError
from grader.site.asked import spec_asked
from grader.site.events import CaseJudged, Dropped, Finished, Hub
from grader.site.logs import log
from grader.site.metrics import Metrics
from grader.site.shelf import Shelf
from grader.site.store import Store, Submission

# Whoever dies with a submission keeps it from others for so long.
_LEASE = timedelta(seconds=20)
_RENEW_EVERY_S = 5.0
# Of one submission: whatever ends us each time must not do so for ever.
_MOST_TRIES = 3
_LOOK_EVERY_S = 1.0  # for what another process added; our own additions wake us
_LONGEST_PAUSE_S = 30.0  # while the engine is away


class Dispatcher:
    """One thread that keeps an executor busy. Start it with `start`, end it with `stop`."""

    def __init__(
        self, store: Store, executor: Executor, shelf: Shelf, hub: Hub, metrics: Metrics
    ) -> None:
        self._store = store
        self._executor = executor
        self._shelf = shelf
        self._hub = hub
        self._metrics = metrics
        self._running: dict[str, int] = {}  # id to attempt
        self._kept_free = 0  # seats for what is being added
        self._more_wait = True  # as far as this process knows
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._over = threading.Event()
        self._pause_s = 0.0
        self._thread = threading.Thread(target=self._run, name="dispatcher", daemon=True)

    @property
    def is_alive(self) -> bool:
        """Whether it takes submissions."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def send(self, add: Callable[[timedelta | None], Submission]) -> Submission:
        """Have a submission added, and judged at once where a seat is free and nobody waits.

        The way through the queue takes milliseconds, which is as long as the judging.

        Args:
            add: puts it into the store, given the lease under which it may be running at once.
        """
        with self._lock:
            is_free = self._room() > 0 and self._pause_s == 0 and not self._over.is_set()
            self._kept_free += is_free
        held: list[Submission] = []
        try:
            added = add(_LEASE if is_free else None)
            held = [added] if added.state == "running" else []
        finally:
            self._seat(held, kept=is_free)
        if held:
            self._judge(added)
        else:
            self._more_wait = True
            self.wake()
        return added

    def _room(self) -> int:
        """How many more may be judged; the lock must be held."""
        return max(self._executor.window - len(self._running) - self._kept_free, 0)

    def _seat(self, held: list[Submission], kept: int) -> None:
        """Give seats that were kept free to what came for them."""
        with self._lock:
            self._kept_free -= kept
            self._running.update({each.id: each.attempt for each in held})

    def wake(self) -> None:
        """Look for submissions now."""
        self._wake.set()

    def stop(self) -> None:
        """Take no more; what is under way is put back into the queue."""
        self._over.set()
        self._wake.set()
        self._thread.join()
        with self._lock:
            left = dict(self._running)
            self._running.clear()
        for submission, attempt in left.items():
            self._store.release(submission, attempt)

    def _run(self) -> None:
        renewed = resumed = time.monotonic()
        while not self._over.is_set():
            try:
                if time.monotonic() >= resumed:
                    self._take()
                    resumed = time.monotonic() + self._pause_s
                if time.monotonic() - renewed > _RENEW_EVERY_S:
                    renewed = time.monotonic()
                    self._renew()
            except Exception:  # the store may be away for a while; the queue must outlive that
                log.exception("the queue could not be read")
            self._wake.wait(_LOOK_EVERY_S)
            self._wake.clear()

    def _take(self) -> None:
        with self._lock:
            free = self._room()
            self._kept_free += free
        claimed: list[Submission] = []
        try:
            if free:
                self._more_wait = False  # before the looking: who adds meanwhile says so afterwards
                claimed = self._store.claim(_now(), _LEASE, free)
                if len(claimed) == free:
                    self._more_wait = True
        finally:
            self._seat(claimed, kept=free)
        for submission in claimed:
            self._judge(submission)

    def _judge(self, submission: Submission) -> None:
        """Begin with one that is held."""
        self._metrics.claimed(submission)
        with bound_contextvars(submission=submission.id, slug=submission.slug):
            log.info("claimed", attempt=submission.attempt)
            try:
                self._begin(submission)
            except Exception as error:  # else it would be held for ever, and those behind it
                log.exception("the judging could not begin")
                self._end(submission, _fault(type(error).__name__), time.monotonic())

    def _begin(self, submission: Submission) -> None:
        began = time.monotonic()
        problem = self._shelf.find(submission.slug)
        if submission.tries > _MOST_TRIES:
            fault = _fault(f"the site ended {_MOST_TRIES} times while at it")
            self._end(submission, fault, began)
            return
        if problem is None:
            fault = _fault(f"the problem {submission.slug} is no longer here")
            self._end(submission, fault, began)
            return
        try:
            asked = spec_asked(problem, submission)
        except ValueError as error:  # the problem changed since the input was read
            self._end(submission, _fault(str(error)), began)
            return
        source = submission.source.encode("utf-8", "surrogatepass")
        try:
            future = self._executor.submit(
                Job(asked.text, asked.digest, source), partial(self._tell, submission.id)
            )
        except (GraderError, RuntimeError, OSError) as error:
            self._put_back(submission, str(error))
            return
        self._pause_s = 0.0
        future.add_done_callback(partial(self._done, submission, began))

    def _put_back(self, submission: Submission, why: str) -> None:
        """The engine is away: wait for it, longer each time, and lose nothing."""
        self._pause_s = min(max(2 * self._pause_s, 1.0), _LONGEST_PAUSE_S)
        log.warning("the engine takes nothing", error=why, pause_s=self._pause_s)
        self._store.release(submission.id, submission.attempt)
        self._let_go(submission)

    def _tell(self, submission: str, case: dict[str, Any]) -> None:
        self._hub.publish(submission, CaseJudged(case))

    def _done(self, submission: Submission, began: float, future: Future[dict[str, Any]]) -> None:
        if self._over.is_set() or future.cancelled():
            return
        error = future.exception()
        self._end(submission, future.result() if error is None else _fault(str(error)), began)

    def _end(self, submission: Submission, report: dict[str, Any], began: float) -> None:
        seconds = time.monotonic() - began
        with bound_contextvars(submission=submission.id, slug=submission.slug):
            stored = False
            try:
                stored = self._store.finish(submission.id, submission.attempt, report, _now())
            except Exception:
                log.exception("the report could not be stored")
            self._hub.publish(submission.id, Finished() if stored else Dropped())
            told = {"verdict": report["verdict"], "ms": round(seconds * 1000, 1)}
            log.info("finished" if stored else "judged for nothing", **told)
        self._metrics.judged(report, seconds)
        self._let_go(submission)
        if self._more_wait:
            self.wake()

    def _let_go(self, submission: Submission) -> None:
        """Hold an attempt no longer; a later one of the same submission stays."""
        with self._lock:
            if self._running.get(submission.id) == submission.attempt:
                del self._running[submission.id]

    def _renew(self) -> None:
        with self._lock:
            running = list(self._running.items())
        if running:
            self._store.renew(running, _now(), _LEASE)


def _now() -> datetime:
    return datetime.now(UTC)


def _fault(message: str) -> dict[str, Any]:
    """A report of our own fault, where no grader made one."""
    return {
        "report_version": 1,
        "slug": "",
        "verdict": "internal_error",
        "passed": 0,
        "total": 0,
        "message": f"the grader is at fault, not the submission: {message}",
        "violations": [],
        "cases": [],
        "stdout": "",
        "stderr": "",
        "limits": {},
        "usage": {"wall_ms": 0.0, "cpu_ms": 0.0, "memory_mb": 0.0},
        "attempts": 1,
        "static_check": True,
        "isolation": "full",
        "versions": {},
        "digests": {},
    }
