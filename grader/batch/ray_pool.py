"""Judges on a Ray cluster: graders on every node, jobs in chunks, lost nodes made good.

Theory of operation. A **seat** is an actor on a node with a grader and so a zygote of its own.
A few threads here, its **lanes**, each take a chunk of jobs, send it and hand reports on as
they stream back; so the chunks under way are bounded, and a slow submission holds back one
lane, not its chunk. When a stream breaks, the seat is given up and the jobs without a report
go back to the queue. The **roster**, one more thread, looks every second for nodes without a
seat, whether they are new or have lost theirs.

Nothing here is durable. What was judged is what the futures were told; the journal of
`grader batch` keeps that.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

import grader
from grader.batch.chunks import MAX_LOSSES, ChunkQueue, Place, Ticket
from grader.batch.executor import Job, OnCase
from grader.batch.ray_cluster import Node, RayCluster
from grader.batch.ray_seat import Seat, SeatFailed
from grader.errors import InternalFault, IsolationUnavailable
from grader.sandbox.keeper import Isolation

# The process that holds a grader does some quarter of the work on a verdict, one thread at a
# time: beyond four workers they would wait for it.
WORKERS_PER_ACTOR = 4
_CHUNK_PER_WORKER = 4
_LOOK_S = 1.0
# A seat that fails so often without a single report is not set up again.
_MAX_FAILURES = 3
# How long a cluster may be without any seat before its jobs are given up.
_NOBODY_S = 60.0
_JOIN_S = 10.0

_Key = tuple[str, int]  # node and number of the seat there


class RayPool:
    """Judges on every node of a Ray cluster. An `Executor`; use as a context manager.

    Args:
        address: of the cluster's head, `host:port` or "auto"; None starts a Ray on this
            machine that nobody else can reach, and ends it.
        workers: jobs at a time on each node; by default its cores.
        chunk: jobs sent together; by default four a worker.
        window: chunks under way on each actor.

    Attributes:
        refused: nodes that are not used, by address, and why.

    Raises:
        InternalFault: Ray is missing or does not answer, or no node can be used.
        IsolationUnavailable: no node can jail.
    """

    def __init__(
        self,
        address: str | None = None,
        workers: int | None = None,
        isolation: Isolation = "full",
        chunk: int | None = None,
        window: int = 4,
    ) -> None:
        for name, value in (("workers", workers), ("chunk", chunk), ("window", window)):
            if value is not None and value < 1:
                raise ValueError(f"{name}: at least 1 expected, got {value}")
        self._workers, self._isolation = workers, isolation
        self._chunk, self._window = chunk, window
        self._queue = ChunkQueue()
        self._lock = threading.Lock()
        self._numbers = 0
        self._seats: dict[_Key, Seat] = {}
        self._failures: dict[_Key, int] = {}
        self._threads: list[threading.Thread] = []
        self._wake = threading.Event()
        self._versions: dict[str, str] = {}
        self._unjailed = False
        self.refused: dict[str, str] = {}
        self._cluster = RayCluster(address, workers or os.cpu_count() or 1)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def slots(self) -> int:
        """Jobs at a time on all nodes, now: nodes come and go."""
        with self._lock:
            return max(sum(seat.workers for seat in self._seats.values() if seat.up), 1)

    @property
    def window(self) -> int:
        """Enough for full chunks on their way to every node."""
        return 16 * self.slots

    @property
    def versions(self) -> dict[str, str]:
        """Of grader, python, torch and numpy; the same on every node that is used."""
        return dict(self._versions)

    def submit(self, job: Job, on_case: OnCase | None = None) -> Future[dict[str, Any]]:
        """Begin a job; `on_case` is told of each case once, also where a node is lost.

        Its future fails with `InternalFault` where graders are lost with it time after time,
        and with `ValueError` where its spec is faulty.

        Raises:
            RuntimeError: the pool is closed.
        """
        with self._lock:
            self._numbers += 1
            ticket = Ticket(self._numbers, job, on_case)
        self._queue.put(ticket)
        return ticket.answer

    def close(self) -> None:
        """End the actors, and Ray if it was started here; cancel what is not finished."""
        for ticket in self._queue.drain(close=True):
            ticket.answer.cancel()
        self._wake.set()
        with self._lock:
            seats, threads = list(self._seats.values()), list(self._threads)
        for seat in seats:
            seat.end()
        deadline = time.monotonic() + _JOIN_S
        for thread in threads:
            thread.join(max(deadline - time.monotonic(), 0))
        self._cluster.close()

    # --- seats ------------------------------------------------------------------------

    def _open(self) -> None:
        """Set up every node's seats; at least one must come up."""
        for thread in self._set_up_missing():
            thread.join()
        with self._lock:
            up = any(seat.up for seat in self._seats.values())
        if not up:
            kind = IsolationUnavailable if self._unjailed else InternalFault
            raise kind(self._why_nobody())
        self._begin(self._keep_roster)

    def _why_nobody(self) -> str:
        refused = "; ".join(f"{node}: {why}" for node, why in self.refused.items())
        return refused or "the cluster has no node with a core to give away"

    def _keep_roster(self) -> None:
        """Set up what is missing, and see that somebody is there."""
        somebody_at = time.monotonic()
        while not self._queue.closed:
            self._wake.clear()
            with contextlib.suppress(Exception):  # the head does not answer; Ray waits for it
                self._set_up_missing()
            with self._lock:
                if self._seats:
                    somebody_at = time.monotonic()
            if time.monotonic() - somebody_at > _NOBODY_S:
                for ticket in self._queue.drain():
                    ticket.fail(InternalFault(f"no node is left: {self._why_nobody()}"))
            if not self._queue.closed:
                self._wake.wait(_LOOK_S)

    def _set_up_missing(self) -> list[threading.Thread]:
        """Begin to set up a seat wherever there is none; return the threads that do."""
        begun = []
        for node in self._cluster.nodes():
            for number, workers in enumerate(_shares(min(self._workers or node.cpus, node.cpus))):
                key = (node.id, number)
                with self._lock:
                    barred = self._failures.get(key, 0) >= _MAX_FAILURES
                    if key in self._seats or barred or self._queue.closed:
                        continue
                    seat = self._seats[key] = self._new_seat(node, workers)
                begun.append(self._begin(self._set_up, key, seat))
        return begun

    def _new_seat(self, node: Node, workers: int) -> Seat:
        place = Place(self._chunk or workers * _CHUNK_PER_WORKER)
        # One thread more than lanes, for a spec to learn.
        return Seat(node, workers, self._isolation, place, self._window + 1)

    def _set_up(self, key: _Key, seat: Seat) -> None:
        """Wait for an actor's grader, then open its lanes."""
        try:
            self._agree(seat.start())
        except (SeatFailed, IsolationUnavailable) as error:
            self._unjailed = self._unjailed or isinstance(error, IsolationUnavailable)
            self._give_up(key, seat, str(error))
            return
        with self._lock:
            seat.up = True
            self._share_out()
            self.refused.pop(seat.node.address, None)
        for _ in range(self._window):
            self._begin(self._lane, key, seat)

    def _agree(self, versions: dict[str, str]) -> None:
        """Refuse a node whose versions differ: verdicts must not depend on the node."""
        with self._lock:
            wanted = {"grader": grader.__version__, **self._versions}
            different = [
                f"{name} {wanted[name]} expected, got {versions[name]}"
                for name in wanted
                if wanted[name] != versions[name]
            ]
            if different:
                raise SeatFailed(", ".join(different))
            self._versions = versions

    def _give_up(self, key: _Key, seat: Seat, why: str) -> None:
        """End a seat; its node is tried again unless it fails time after time."""
        self._queue.end(seat.place)
        seat.end()
        with self._lock:
            if self._seats.get(key) is not seat:
                return  # another lane was first
            del self._seats[key]
            self._share_out()
            self._failures[key] = 0 if seat.delivered else self._failures.get(key, 0) + 1
            if not seat.delivered:
                self.refused[seat.node.address] = why
        self._wake.set()

    def _share_out(self) -> None:
        """Tell each place its share. Called with the lock held."""
        up = [seat for seat in self._seats.values() if seat.up]
        for seat in up:
            seat.place.share = seat.workers / sum(other.workers for other in up)

    def _begin(self, work: Callable[..., None], *args: Any) -> threading.Thread:
        thread = threading.Thread(target=work, args=args, name="grader-ray", daemon=True)
        with self._lock:
            self._threads = [old for old in self._threads if old.is_alive()]
            thread.start()
            self._threads.append(thread)
        return thread

    # --- lanes ------------------------------------------------------------------------

    def _lane(self, key: _Key, seat: Seat) -> None:
        """Take chunk after chunk until the seat is given up."""
        while chunk := self._queue.take(seat.place):
            left = {ticket.number: ticket for ticket in chunk}
            why = "its reports are missing"
            try:
                _judge(seat, left)
            except SeatFailed as failed:
                why = str(failed)
            if left:
                self._give_up(key, seat, why)
            for ticket in self._queue.finish(seat.place, chunk, list(left.values())):
                if self._queue.closed:
                    ticket.answer.cancel()
                else:
                    ticket.fail(InternalFault(f"{MAX_LOSSES} graders were lost with it: {why}"))


def _judge(seat: Seat, left: dict[int, Ticket]) -> None:
    """Have jobs judged, take each out as it is answered."""
    for ticket in list(left.values()):
        if ticket.answer.cancelled():
            del left[ticket.number]
        elif (wrong := seat.learn(ticket)) is not None:
            left.pop(ticket.number).fail(ValueError(wrong))
    if not left:
        return
    for number, report, fault, case in seat.answers(list(left.values())):
        if case is not None:
            left[number].tell(case)
            continue
        seat.delivered += 1
        ticket = left.pop(number)
        if report is None:
            ticket.fail(InternalFault(fault or "no report"))
        else:
            ticket.give(report)


def _shares(workers: int) -> list[int]:
    """Divide a node's workers among its actors, as evenly as can be.

    Example:
        >>> _shares(10)
        [4, 3, 3]
    """
    actors = -(-workers // WORKERS_PER_ACTOR)
    return [workers // actors + (number < workers % actors) for number in range(actors)]
