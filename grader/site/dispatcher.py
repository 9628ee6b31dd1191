"""Takes submissions out of the store, has them judged, and puts the reports back.

The row in the store is the queue. A submission is claimed for a while; if this process dies, the
claim runs out and the next one takes it up. So nothing is lost and nothing gets two results.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from grader.batch.executor import Executor, Job
from grader.errors import GraderError
from grader.site.asked import spec_asked
from grader.site.events import CaseJudged, Finished, Hub
from grader.site.shelf import Shelf
from grader.site.store import Store, Submission

_LEASE = timedelta(seconds=60)
_RENEW_EVERY_S = 15.0
# Of one submission: whatever ends us each time must not do so for ever.
_MOST_ATTEMPTS = 3
_LOOK_EVERY_S = 1.0  # for what another process added; our own additions wake us

_log = logging.getLogger(__name__)


class Dispatcher:
    """One thread that keeps an executor busy. Start it with `start`, end it with `stop`."""

    def __init__(self, store: Store, executor: Executor, shelf: Shelf, hub: Hub) -> None:
        self._store = store
        self._executor = executor
        self._shelf = shelf
        self._hub = hub
        self._running: dict[str, int] = {}  # id to attempt
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dispatcher", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

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
        renewed = _now()
        while not self._over.is_set():
            try:
                self._take()
                if _now() - renewed > timedelta(seconds=_RENEW_EVERY_S):
                    renewed = _now()
                    self._renew()
            except Exception:  # the store may be away for a while; the queue must outlive that
                _log.exception("the queue could not be read")
            self._wake.wait(_LOOK_EVERY_S)
            self._wake.clear()

    def _take(self) -> None:
        with self._lock:
            free = 2 * self._executor.slots - len(self._running)
        if free <= 0:
            return
        for submission in self._store.claim(_now(), _LEASE, free):
            with self._lock:
                self._running[submission.id] = submission.attempt
            self._begin(submission)

    def _begin(self, submission: Submission) -> None:
        problem = self._shelf.find(submission.slug)
        if submission.attempt > _MOST_ATTEMPTS:
            self._end(submission, _fault(f"the site ended {_MOST_ATTEMPTS} times while at it"))
            return
        if problem is None:
            self._end(submission, _fault(f"the problem {submission.slug} is no longer here"))
            return
        asked = spec_asked(problem, submission)
        source = submission.source.encode("utf-8", "surrogatepass")
        try:
            future = self._executor.submit(
                Job(asked.text, asked.digest, source), partial(self._tell, submission.id)
            )
        except (GraderError, RuntimeError, ValueError) as error:
            self._end(submission, _fault(str(error)))
            return
        future.add_done_callback(partial(self._done, submission))

    def _tell(self, submission: str, case: dict[str, Any]) -> None:
        self._hub.publish(submission, CaseJudged(case))

    def _done(self, submission: Submission, future: Future[dict[str, Any]]) -> None:
        if self._over.is_set() or future.cancelled():
            return
        error = future.exception()
        self._end(submission, future.result() if error is None else _fault(str(error)))

    def _end(self, submission: Submission, report: dict[str, Any]) -> None:
        try:
            self._store.finish(submission.id, submission.attempt, report, _now())
        except Exception:
            _log.exception("the report of %s could not be stored", submission.id)
        with self._lock:
            self._running.pop(submission.id, None)
        self._hub.publish(submission.id, Finished())
        self._wake.set()

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
