"""Jobs that wait for a node: taken in chunks, put back when a node is lost, each answered once."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any

from grader.batch.executor import Job, OnCase

# A job that was under way at this many losses of a node is given up; the last time it was alone.
MAX_LOSSES = 3
# A few jobs wait this long for more: a chunk costs about half a verdict, whatever its size.
_GATHER_S = 0.003
# Sources in a chunk, well below the smallest object store that Ray allows (75 MiB).
_CHUNK_BYTES = 4 << 20


@dataclass(eq=False)
class Ticket:
    """One job and whom to answer.

    Attributes:
        losses: how many nodes were lost while it was on them.
        told: positions of the cases that were told; a node that is lost may have told some.
    """

    number: int
    job: Job
    on_case: OnCase | None = None
    answer: Future[dict[str, Any]] = field(default_factory=Future)
    losses: int = 0
    told: set[int] = field(default_factory=set)

    def tell(self, case: dict[str, Any]) -> None:
        """Tell of a case, once."""
        if self.on_case is not None and case["case_id"] not in self.told:
            self.told.add(case["case_id"])
            self.on_case(case)

    def give(self, report: dict[str, Any]) -> None:
        """Answer, unless the one who asked has turned away."""
        with contextlib.suppress(InvalidStateError):
            self.answer.set_result(report)

    def fail(self, error: Exception) -> None:
        """Answer that there is no report."""
        with contextlib.suppress(InvalidStateError):
            self.answer.set_exception(error)


@dataclass(eq=False)
class Place:
    """One grader that takes chunks, in several threads.

    Attributes:
        share: of all that is judged, 0 to 1: a short queue is divided by it.
        most: jobs in a chunk.
        busy: chunks under way.
        alone: the job beside which nothing else may run here.
        ended: it takes no more.
    """

    most: int
    share: float = 1.0
    busy: int = 0
    alone: Ticket | None = None
    ended: bool = False


class ChunkQueue:
    """Jobs that wait. Safe to use from several threads.

    A job may be what brings a node down, for instance by its hunger for memory. So one that was
    under way when a node was lost goes out in a chunk by itself, and the second time alone on
    its node: whoever is lost a third time is to blame, and no neighbour is given up with it.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._fresh: deque[Ticket] = deque()
        self._lost: deque[Ticket] = deque()
        self._suspects: deque[Ticket] = deque()
        self.closed = False

    def put(self, ticket: Ticket) -> None:
        """Add a job.

        Raises:
            RuntimeError: the queue is closed.
        """
        with self._changed:
            if self.closed:
                raise RuntimeError("cannot submit after close")
            self._fresh.append(ticket)
            if len(self._fresh) == 1:  # otherwise those who wait have been told
                self._changed.notify_all()

    def take(self, place: Place) -> list[Ticket]:
        """Wait for a chunk; `finish` must follow. Empty: there will be none."""
        with self._changed:
            gathered_at: float | None = None
            while not (self.closed or place.ended):
                wait_s: float | None = None
                if place.alone is None:
                    if self._suspects:
                        return self._take_alone(place)
                    if self._lost:
                        return self._begun(place, [self._lost.popleft()])
                    if self._fresh:
                        now = time.monotonic()
                        gathered_at = gathered_at or now + _GATHER_S
                        if len(self._fresh) >= place.most or now >= gathered_at:
                            return self._begun(place, self._chunk(place))
                        wait_s = gathered_at - now
                    else:
                        gathered_at = None
                self._changed.wait(wait_s)
            return []

    def finish(self, place: Place, chunk: list[Ticket], lost: list[Ticket]) -> list[Ticket]:
        """End a chunk; return the jobs to be given up among those whose report was lost."""
        with self._changed:
            place.busy -= 1
            if place.alone in chunk:
                place.alone = None
            given_up = []
            for ticket in lost:
                ticket.losses += 1
                if self.closed or ticket.losses >= MAX_LOSSES:
                    given_up.append(ticket)
                else:
                    (self._lost if ticket.losses == 1 else self._suspects).append(ticket)
            self._changed.notify_all()
        return given_up

    def end(self, place: Place) -> None:
        """Let a place take no more."""
        with self._changed:
            place.ended = True
            self._changed.notify_all()

    def drain(self, *, close: bool = False) -> list[Ticket]:
        """Take out all that waits; with `close`, for good."""
        with self._changed:
            self.closed = self.closed or close
            waiting = [*self._suspects, *self._lost, *self._fresh]
            for tickets in (self._suspects, self._lost, self._fresh):
                tickets.clear()
            self._changed.notify_all()
        return waiting

    def _take_alone(self, place: Place) -> list[Ticket]:
        """Take a suspect and wait until nothing else runs at the place."""
        ticket = place.alone = self._suspects.popleft()
        while place.busy and not (self.closed or place.ended):
            self._changed.wait()
        if self.closed or place.ended:
            place.alone = None
            if self.closed:
                ticket.answer.cancel()
            else:
                self._suspects.append(ticket)
            self._changed.notify_all()
            return []
        return self._begun(place, [ticket])

    def _chunk(self, place: Place) -> list[Ticket]:
        wanted = min(place.most, max(math.ceil(len(self._fresh) * place.share), 1))
        chunk = [self._fresh.popleft()]
        size = len(chunk[0].job.source)
        while len(chunk) < wanted and size < _CHUNK_BYTES:
            chunk.append(self._fresh.popleft())
            size += len(chunk[-1].job.source)
        return chunk

    @staticmethod
    def _begun(place: Place, chunk: list[Ticket]) -> list[Ticket]:
        place.busy += 1
        return chunk
