"""Figures of the site for Prometheus: the queue, the judge, the requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import CounterMetricFamily, Metric

from grader.site.store import QueueState, Submission

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_KILLED = ("time_limit_exceeded", "memory_limit_exceeded", "output_limit_exceeded")
_WAIT_S = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800)
_JUDGE_S = (0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60)
_REQUEST_S = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)


class Metrics:
    """Figures of one site.

    Args:
        queue: how full the queue is, asked whenever the figures are read.
        restarts: how often the judge's own process had to be replaced.
    """

    def __init__(self, queue: Callable[[], QueueState], restarts: Callable[[], int]) -> None:
        self._queue = queue
        self._restarts = restarts
        self._registry = CollectorRegistry()
        self._wait = Histogram(
            "tensorjudge_wait_seconds",
            "From being sent to being taken up, of submissions judged for the first time",
            buckets=_WAIT_S,
            registry=self._registry,
        )
        self._judge = Histogram(
            "tensorjudge_judge_seconds",
            "From being taken up to the report",
            ["verdict"],
            buckets=_JUDGE_S,
            registry=self._registry,
        )
        self._kills = Counter(
            "tensorjudge_kills",
            "Submissions killed at a limit",
            ["limit"],
            registry=self._registry,
        )
        self._requests = Histogram(
            "tensorjudge_request_seconds",
            "Time to answer",
            ["method", "route", "status"],
            buckets=_REQUEST_S,
            registry=self._registry,
        )
        self._registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield what is asked only when the figures are read."""
        state = self._queue()
        depth = GaugeMetricFamily(
            "tensorjudge_queue_depth", "Submissions that are not done", labels=["state"]
        )
        depth.add_metric(["queued"], state.queued)
        depth.add_metric(["running"], state.running)
        yield depth
        yield GaugeMetricFamily(
            "tensorjudge_oldest_wait_seconds",
            "How long the oldest that waits has waited",
            value=state.oldest_wait_s,
        )
        yield CounterMetricFamily(
            "tensorjudge_zygote_restarts",
            "How often the process from which judges are forked had to be replaced",
            value=self._restarts(),
        )

    def claimed(self, submission: Submission) -> None:
        """Count a submission as taken up."""
        if submission.tries == 1 and submission.before_verdict is None:
            waited = datetime.now(UTC) - submission.created
            self._wait.observe(max(waited.total_seconds(), 0.0))

    def judged(self, report: dict[str, Any], seconds: float) -> None:
        """Count a report."""
        verdict = str(report["verdict"])
        self._judge.labels(verdict).observe(seconds)
        if verdict in _KILLED:
            self._kills.labels(verdict.removesuffix("_limit_exceeded")).inc()

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request.

        Args:
            route: its template, so that the figures do not grow with what is asked for.
        """
        self._requests.labels(method, route, str(status)).observe(seconds)

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self._registry)
