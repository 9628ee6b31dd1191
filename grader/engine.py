"""The grader as a Python object: judges submissions, several at a time, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from types import TracebackType

import grader
from grader.case_runs import OnCase
from grader.dry_run import Fault, executed_faults
from grader.errors import ReferenceFault
from grader.judge import Court, judge
from grader.limits import MAX_SOURCE_BYTES, Limits
from grader.referees import Referee, RefereePool
from grader.report import Report
from grader.sandbox.keeper import Isolation, Keeper
from grader.sandbox.spares import Spares
from grader.session import Rules, Session
from grader.spec import Problem
from grader.static_check import Violation


class Grader:
    """Judges submissions in jailed processes. Use as a context manager.

    Args:
        workers: submissions judged at a time; about the number of cores.
        isolation: "full" refuses to work where the jail cannot be had; "none" runs
            submissions unjailed, for one's own code only, and reports say so.

    Raises:
        IsolationUnavailable: "full" cannot be had on this host; the message says why.
        InternalFault: the zygote does not start.

    Example:
        with Grader(workers=2) as g:
            report = g.grade(problem, source)
    """

    def __init__(self, workers: int = 1, isolation: Isolation = "full") -> None:
        if workers < 1:
            raise ValueError(f"workers: at least 1 expected, got {workers}")
        self._workers = workers
        self._keeper = Keeper(isolation)
        self._court = Court(
            spares=Spares(self._keeper, workers),
            referees=RefereePool(self._keeper),
            isolation=isolation,
            versions={"grader": grader.__version__, **self._keeper.host.versions},
        )
        self._turns = threading.Semaphore(workers)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="grader")

    def __enter__(self) -> Grader:
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
            self.abort()

    @property
    def workers(self) -> int:
        """Submissions judged at a time."""
        return self._workers

    @property
    def zygote_restarts(self) -> int:
        """How often the process from which children are forked had to be replaced."""
        return self._keeper.restarts

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the grader and of what submissions run on."""
        return self._court.versions

    def grade(
        self,
        problem: Problem,
        source: str | bytes,
        *,
        on_case: OnCase | None = None,
        static_check: bool = True,
    ) -> Report:
        """Judge one submission and return its report; waits for a free worker.

        Args:
            problem: from `load_problem`.
            source: the submission, as text or as the bytes that were sent.
            on_case: called with each case as it is judged, in this thread.
            static_check: False skips the early check; the sandbox holds alone.
        """
        with self._turns:
            return judge(
                self._court, problem, _bytes(source), static_check=static_check, on_case=on_case
            )

    def submit(
        self,
        problem: Problem,
        source: str | bytes,
        *,
        on_case: OnCase | None = None,
        static_check: bool = True,
    ) -> Future[Report]:
        """Like `grade`, but return at once; `on_case` is called in another thread."""
        return self._threads.submit(
            self.grade, problem, source, on_case=on_case, static_check=static_check
        )

    def check(self, problem: Problem, source: str | bytes) -> tuple[tuple[Violation, ...], str]:
        """Parse a submission in the jail and look for what the problem forbids; run nothing.

        Returns:
            What is forbidden, and why it is no submission at all; "" where it is one.
        """
        limits = Limits.of(problem.time_limit_s, problem.memory_limit_mb, len(problem.cases))
        rules = Rules.of(problem, limits)
        with (
            self._turns,
            Session(self._court.spares, rules, _bytes(source), static_check=True) as session,
        ):
            checked = session.check()
        message = checked.outcome.message if checked.outcome is not None else ""
        return checked.violations, message

    def dry_run(self, problem: Problem) -> list[Fault]:
        """Run the problem's own reference and cases; return what goes wrong, by JSON path."""
        with self._turns:
            return executed_faults(self._court.referees, problem)

    def case_inputs(self, problem: Problem, number: int, size: int | None = None) -> dict[str, str]:
        """Return the arguments of a case as Python expressions, by name.

        Args:
            number: 0-based position in `problem.cases`.
            size: of a drawn case, where its generator takes one.

        Raises:
            ReferenceFault: the problem's own code fails.
        """
        with self.referee(problem) as referee:
            if size is not None and not referee.draws_by_size:
                raise ReferenceFault("generate takes no size", "$.generated_cases.code")
            return referee.describe(number, size)

    @contextmanager
    def referee(self, problem: Problem) -> Iterator[Referee]:
        """Lend a problem's referee, for those who ask about the problem, not a submission.

        Raises:
            ReferenceFault: the problem's own code fails.
        """
        limits = Limits.of(problem.time_limit_s, problem.memory_limit_mb, len(problem.cases))
        with self._turns, self._court.referees.lend(problem, limits) as referee:
            yield referee

    def close(self) -> None:
        """Let running submissions end, then end every process."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._keeper.close()

    def abort(self) -> None:
        """End every process at once; submissions still running become internal errors."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._keeper.close()
        self._threads.shutdown(wait=True)


def _bytes(source: str | bytes) -> bytes:
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    # A giant is refused by the worker for its size; it need not be sent in full for that.
    return data[: MAX_SOURCE_BYTES + 1]
