"""What judges the submissions of a batch: on this machine, or on many."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from grader.engine import Grader
from grader.report import Report
from grader.sandbox.keeper import Isolation
from grader.spec import Problem, find_faults


@dataclass(frozen=True)
class Job:
    """One submission to judge. Plain data: it may travel.

    Attributes:
        spec: canonical JSON of the problem.
        digest: of the spec, so that it need not be read again.
    """

    spec: str
    digest: str
    source: bytes
    static_check: bool = True


# Takes a case, as `CaseResult.to_dict` gives it.
OnCase = Callable[[dict[str, Any]], None]


class Executor(Protocol):
    """Judges jobs, several at a time; each gets exactly one report."""

    @property
    def slots(self) -> int:
        """How many jobs are judged at a time; it may change as machines come and go."""

    @property
    def window(self) -> int:
        """How many jobs to hand over before the first is answered, so that all are busy."""

    @property
    def versions(self) -> dict[str, str]:
        """Versions that judge: part of what a report depends on."""

    def submit(self, job: Job, on_case: OnCase | None = None) -> Future[dict[str, Any]]:
        """Begin a job; the future has the report, as `Report.to_dict` gives it.

        Args:
            on_case: told of each case as it is judged, once, in some other thread; hidden cases
                are veiled.
        """

    def close(self) -> None:
        """End everything; jobs not finished are cancelled."""


class LocalPool:
    """Judges on this machine, with one `Grader`.

    Args:
        workers: jobs at a time.
    """

    def __init__(self, workers: int, isolation: Isolation = "full") -> None:
        self._grader = Grader(workers, isolation)
        self._workers = workers
        self._problems: dict[str, Problem] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self._grader.abort()

    @property
    def grader(self) -> Grader:
        """The grader, for what is no job: checking a source as it is typed, say."""
        return self._grader

    @property
    def slots(self) -> int:
        """Jobs at a time."""
        return self._workers

    @property
    def window(self) -> int:
        """A few jobs for each worker."""
        return 4 * self._workers

    @property
    def versions(self) -> dict[str, str]:
        """Of grader, python, torch and numpy."""
        return dict(self._grader.versions)

    def submit(self, job: Job, on_case: OnCase | None = None) -> Future[dict[str, Any]]:
        """Begin a job in a thread of the grader."""
        tell = None if on_case is None else lambda case: on_case(case.to_dict())
        problem = self._problems.get(job.digest)
        if problem is None:
            problem = self._problems[job.digest] = problem_of(job.spec)
        answer: Future[dict[str, Any]] = Future()
        made = self._grader.submit(problem, job.source, static_check=job.static_check, on_case=tell)
        made.add_done_callback(lambda report: _hand_on(report, answer))
        return answer

    def close(self) -> None:
        """End the processes."""
        self._grader.close()


def problem_of(spec: str) -> Problem:
    """Return the problem of a spec that was validated where it was read."""
    problem, findings = find_faults("spec", spec)
    if problem is None:
        raise ValueError("\n".join(map(str, findings)))
    return problem


def _hand_on(made: Future[Report], answer: Future[dict[str, Any]]) -> None:
    """Give the report on as plain data, or what went wrong."""
    if made.cancelled():
        answer.cancel()
    elif (error := made.exception()) is not None:
        answer.set_exception(error)
    else:
        try:
            answer.set_result(made.result().to_dict())
        except Exception as failure:  # whoever waits must be told, whatever it is
            answer.set_exception(failure)
