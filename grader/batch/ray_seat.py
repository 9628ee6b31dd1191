"""One actor of the cluster engine, seen from here: start it, teach it, ask it, end it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from typing import Any

from grader.batch.chunks import Place, Ticket
from grader.batch.ray_cluster import Node
from grader.batch.ray_node import Order, RayNode
from grader.errors import IsolationUnavailable
from grader.sandbox.keeper import Isolation

_START_S = 180.0
_LEARN_S = 60.0


class SeatFailed(Exception):
    """An actor is of no more use; the message says why."""


class Seat:
    """An actor on a node, with a grader of its own.

    Args:
        place: what it is to the queue.
        threads: calls at a time.

    Attributes:
        up: whether it judges.
        delivered: reports that came from it.
    """

    def __init__(
        self, node: Node, workers: int, isolation: Isolation, place: Place, threads: int
    ) -> None:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self.node = node
        self.workers = workers
        self.place = place
        self.up = False
        self.delivered = 0
        self._known: set[str] = set()
        self._learning = threading.Lock()
        kind = ray.remote(RayNode).options(
            num_cpus=workers,
            max_concurrency=threads,
            max_restarts=0,  # the pool counts what is lost
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
        )
        self._actor = kind.remote(workers, isolation)

    def start(self) -> dict[str, str]:
        """Wait for its grader and return the versions that judge there.

        Raises:
            IsolationUnavailable: the node cannot jail.
            SeatFailed: it does not come up.
        """
        import ray

        try:
            said = ray.get(self._actor.start.remote(), timeout=_START_S)
        except Exception as error:  # Ray has a dozen kinds, and all mean this
            raise SeatFailed(f"the actor does not start: {_brief(error)}") from error
        if "refused" in said:
            raise (IsolationUnavailable if said["isolation"] else SeatFailed)(said["refused"])
        versions: dict[str, str] = said["versions"]
        return versions

    def answers(
        self, tickets: list[Ticket]
    ) -> Iterator[tuple[int, dict[str, Any] | None, str | None, dict[str, Any] | None]]:
        """Send jobs; yield number and report, what went wrong, or a case, as they come.

        Raises:
            SeatFailed: the actor was lost; what was not yielded was not judged.
        """
        import ray

        orders = [
            Order(
                ticket.number,
                ticket.job.digest,
                ticket.job.source,
                ticket.job.static_check,
                ticket.on_case is not None,
            )
            for ticket in tickets
        ]
        try:
            for ref in self._actor.judge.options(num_returns="streaming").remote(orders):
                yield from json.loads(ray.get(ref))
        except Exception as error:  # as above
            raise SeatFailed(_brief(error)) from error

    def learn(self, ticket: Ticket) -> str | None:
        """Send a job's spec if it is not known there; return what is wrong with it.

        Raises:
            SeatFailed: the actor was lost.
        """
        import ray

        job = ticket.job
        with self._learning:
            if job.digest in self._known:
                return None
            try:
                learned = self._actor.learn.remote(job.digest, job.spec)
                wrong: str | None = ray.get(learned, timeout=_LEARN_S)
            except Exception as error:  # as above
                raise SeatFailed(_brief(error)) from error
            if wrong is None:
                self._known.add(job.digest)
            return wrong

    def end(self) -> None:
        """End the actor's process; the kernel ends its zygote and the workers with it."""
        import ray

        with contextlib.suppress(Exception):  # it is gone already, or Ray is
            ray.kill(self._actor)


def _brief(error: Exception) -> str:
    """The first line of an error; Ray's fill a screen."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"
