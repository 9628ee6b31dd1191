"""Keeps workers forked and jailed in advance, so that nobody waits for a fork."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque

from grader.errors import InternalFault
from grader.sandbox.child import Child
from grader.sandbox.keeper import Keeper

# Tries to get a worker. The waits between them double, to some seconds in all: a host out
# of processes, memory or descriptors often recovers.
_TRIES = 8
_FIRST_WAIT_S = 0.02


class Spares:
    """A queue of spare workers, one for each submission judged at a time.

    Safe to use from several threads.
    """

    def __init__(self, keeper: Keeper, count: int) -> None:
        self._keeper = keeper
        # One more than can be at work: a replacement is ordered when a worker is released, so
        # that its fork does not slow the submission that is waited for.
        self._count = count + 1
        self._lock = threading.Lock()
        self._waiting: deque[Child] = deque(keeper.spawn("worker") for _ in range(self._count))

    def take(self) -> Child:
        """Return a worker that waits for its first request.

        Raises:
            InternalFault: no worker can be had.
        """
        fault = InternalFault("no worker comes up")
        for attempt in range(_TRIES):
            try:
                child = self._next()
            except InternalFault as error:
                if self._keeper.closed:
                    raise
                fault = error
                time.sleep(_FIRST_WAIT_S * 2**attempt)
                continue
            if child.usable:
                return child
            self._keeper.release(child)  # of a zygote that has died since
        raise fault

    def _next(self) -> Child:
        with self._lock:
            child = self._waiting.popleft() if self._waiting else None
        if child is None:
            child = self._keeper.spawn("worker")
        self._keeper.await_ready(child)
        return child

    def release(self, child: Child) -> None:
        """Kill a worker that has served, and order the next."""
        self._keeper.release(child)
        with contextlib.suppress(InternalFault):  # whoever comes next tries again
            while len(self._waiting) < self._count and not self._keeper.closed:
                replacement = self._keeper.spawn("worker")
                with self._lock:
                    self._waiting.append(replacement)
