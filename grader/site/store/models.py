"""What the store hands out: plain values that know nothing of a database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from grader.errors import GraderError

Kind = Literal["submit", "run"]
State = Literal["queued", "running", "done"]


class StoreRefused(GraderError):
    """The database cannot be used; the message says why and what to do."""


class QueueFull(GraderError):
    """A learner has so many submissions waiting that another must wait."""


@dataclass(frozen=True)
class Submission:
    """One source that a learner sent. Every time is in UTC.

    Attributes:
        id: 32 hexadecimal digits.
        learner: who sent it.
        slug: the problem.
        kind: "submit" for all cases; "run" for the shown ones or an input of the learner's own,
            which counts for nothing.
        custom_input: the learner's own input, where there is one.
        attempt: how often it was claimed; who finishes it must name the same number.
        lease_until: when others may claim it, while it runs.
        cpu_ms: CPU milliseconds, as in the report.
        report: as `schemas/report.schema.json` describes it, once it is done.
        spec_digest: of the problem by which it was judged.
        before_verdict: its verdict so far, while it is judged anew; None otherwise.
        first_attempt: the attempts that do not count: before it was judged anew, or put back.
    """

    id: str
    learner: int
    slug: str
    kind: Kind
    source: str
    custom_input: str | None
    created: datetime
    state: State
    attempt: int
    lease_until: datetime | None
    verdict: str | None
    passed: int | None
    total: int | None
    cpu_ms: float | None
    report: dict[str, Any] | None
    finished: datetime | None
    spec_digest: str | None = None
    before_verdict: str | None = None
    first_attempt: int = 0

    @property
    def tries(self) -> int:
        """How often it was claimed without coming to an end."""
        return self.attempt - self.first_attempt


@dataclass(frozen=True)
class QueueState:
    """How full the queue is.

    Attributes:
        oldest_wait_s: of those that wait and were never claimed.
    """

    queued: int
    running: int
    oldest_wait_s: float


@dataclass(frozen=True)
class Progress:
    """How far a learner is with a problem; what was only run does not count.

    Attributes:
        attempts: submissions, those that wait included.
        best_passed: most cases that passed in one of them; 0 before the first report.
        total: cases of that best one; 0 before the first report.
        first_solved: when the first accepted one was sent.
        last: when the last one was sent.
    """

    solved: bool
    attempts: int
    best_passed: int
    total: int
    first_solved: datetime | None
    last: datetime
