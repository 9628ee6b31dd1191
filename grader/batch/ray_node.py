"""The side of the cluster engine that lives on a node: an actor with a grader of its own.

The actor's process has Ray's threads and is never forked: the grader starts its zygote as a
fresh program with an environment of its own, which holds neither Ray's token nor its sockets.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from grader.batch.executor import Job, LocalPool, problem_of
from grader.errors import GraderError, IsolationUnavailable
from grader.sandbox.keeper import Isolation

# Reports wait this long for others to travel with: sending one by itself costs about a tenth
# of a verdict.
_GATHER_S = 0.01


class Order(NamedTuple):
    """One submission on its way to a node.

    Attributes:
        number: of the job in its pool; its report comes back under it.
        digest: of a spec that the node has learned.
        live: whether each case is told of as it is judged.
    """

    number: int
    digest: str
    source: bytes
    static_check: bool
    live: bool


# What comes of orders: number of the job, and a case that was judged or the finished job.
Event = tuple[int, dict[str, Any] | Future[dict[str, Any]]]


class RayNode:
    """Judges on one node. Its methods run in several threads at a time.

    Args:
        workers: submissions at a time.
    """

    def __init__(self, workers: int, isolation: Isolation) -> None:
        self._workers = workers
        self._isolation = isolation
        self._pool: LocalPool | None = None
        self._specs: dict[str, str] = {}

    def start(self) -> dict[str, Any]:
        """Start the grader.

        Returns:
            Its `versions`; or why it is `refused`, and whether that is for its `isolation`.
        """
        try:
            self._pool = LocalPool(self._workers, self._isolation)
        except GraderError as error:
            return {"refused": str(error), "isolation": isinstance(error, IsolationUnavailable)}
        return {"versions": self._pool.versions}

    def learn(self, digest: str, spec: str) -> str | None:
        """Keep a spec for the orders to come; return what is wrong with it."""
        try:
            problem_of(spec)
        except ValueError as error:
            return str(error)
        self._specs[digest] = spec
        return None

    def judge(self, orders: list[Order]) -> Iterator[str]:
        """Yield reports, and cases where they are wanted, as they are finished, several at a time.

        Yields:
            JSON: a list of [number, report or null, what went wrong or null, case or null].
        """
        assert self._pool is not None
        events: SimpleQueue[Event] = SimpleQueue()
        for order in orders:
            note = partial(_note, events, order.number)
            spec = self._specs[order.digest]
            job = Job(spec, order.digest, order.source, order.static_check)
            made = self._pool.submit(job, note if order.live else None)
            made.add_done_callback(note)
        left = len(orders)
        while left:
            ready = _gathered(events)
            left -= sum(isinstance(what, Future) for _, what in ready)
            yield json.dumps([_answer(number, what) for number, what in ready])


def _note(
    events: SimpleQueue[Event], number: int, what: dict[str, Any] | Future[dict[str, Any]]
) -> None:
    events.put((number, what))


def _gathered(events: SimpleQueue[Event]) -> list[Event]:
    """Wait for one, then a moment for others."""
    ready = [events.get()]
    deadline = time.monotonic() + _GATHER_S
    while (left_s := deadline - time.monotonic()) > 0:
        try:
            ready.append(events.get(timeout=left_s))
        except Empty:
            break
    return ready


def _answer(number: int, what: dict[str, Any] | Future[dict[str, Any]]) -> list[Any]:
    if isinstance(what, dict):
        return [number, None, None, what]
    if what.cancelled():
        return [number, None, "the node's grader was closed", None]
    error = what.exception()
    if error is not None:
        return [number, None, f"{type(error).__name__}: {error}", None]
    return [number, what.result(), None, None]
