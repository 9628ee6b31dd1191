"""Keeps workers forked and jailed in advance, so that nobody waits for a fork."""

from __future__ import annotations

import threading
from collections import deque

from grader.errors import InternalFault
from grader.sandbox.child import Child
from grader.sandbox.keeper import Keeper

_MAX_STALE = 8


class Spares:
    """A queue of spare workers, one for each submission judged at a time.

    Safe to use from several threads.
    """

    def __init__(self, keeper: Keeper, count: int) -> None:
        self._keeper = keeper
        self._lock = threading.Lock()
        self._waiting: deque[Child] = deque(keeper.spawn("worker") for _ in range(count))

    def take(self) -> Child:
        """Return a worker that waits for its first request; another is ordered at once.

        Raises:
            InternalFault: no worker can be had.
        """
        # Those forked by a zygote that has died since are passed over.
        for _ in range(_MAX_STALE):
            with self._lock:
                child = self._waiting.popleft() if self._waiting else None
            try:
                replacement = self._keeper.spawn("worker")
            except InternalFault:
                if child is not None:
                    self._keeper.release(child)
                raise
            with self._lock:
                self._waiting.append(replacement)
            if child is None:
                continue
            try:
                self._keeper.await_ready(child)
            except InternalFault:
                continue
            if child.usable:
                return child
            self._keeper.release(child)
        raise InternalFault("no worker comes up")

    def release(self, child: Child) -> None:
        """Kill a worker that has served."""
        self._keeper.release(child)
