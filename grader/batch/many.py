"""`grade_many`: submissions in, reports out as they come, from one's own Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future

from grader.engine import Grader
from grader.report import Report
from grader.sandbox.keeper import Isolation
from grader.spec import Problem, load_problem

_WINDOW = 4  # submissions under way for each worker


def grade_many(
    submissions: Iterable[tuple[Problem | str, str | bytes]],
    *,
    workers: int = 2,
    isolation: Isolation = "full",
    static_check: bool = True,
    grader: Grader | None = None,
) -> Iterator[Report]:
    """Judge submissions side by side and yield their reports in the order they were given.

    Args:
        submissions: problem, or its slug or path, and source; may be endless, it is read only a
            little ahead.
        workers: judged at a time; about the number of cores.
        grader: to use, in place of one that is made and ended here; its workers count then.

    Raises:
        UnknownProblem, SpecError: of a slug or path, when it is reached.
        IsolationUnavailable: see `Grader`.

    Example:
        for report in grade_many([("average-ranks", source)]):
            print(report.verdict, report.passed / report.total)
    """
    problems: dict[str, Problem] = {}
    own = grader is None
    workers = workers if grader is None else grader.workers
    with Grader(workers, isolation) if grader is None else _Borrowed(grader) as judge:
        pending: deque[Future[Report]] = deque()
        try:
            for problem, source in submissions:
                if isinstance(problem, str):
                    if problem not in problems:
                        problems[problem] = load_problem(problem)
                    problem = problems[problem]
                pending.append(judge.submit(problem, source, static_check=static_check))
                while pending and (pending[0].done() or len(pending) >= _WINDOW * workers):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
            if own and pending:
                judge.abort()


class _Borrowed:
    """Somebody else's grader; it is not ended here."""

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def __enter__(self) -> Grader:
        return self._grader

    def __exit__(self, *exc: object) -> None:
        return None
