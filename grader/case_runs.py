"""Runs the cases of a problem against a submission: declared ones, or its own test code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from grader.errors import ReferenceFault
from grader.limits import MAX_CAPTURED_CHARS, MAX_SHOWN_INPUT_CHARS, MAX_TIMED_OUT
from grader.outcome import Outcome
from grader.referees import Judged, Referee, RefereePool, seed_for
from grader.report import CaseResult, Verdict
from grader.session import Session
from grader.spec import Problem
from grader.verdicts import case_result

OnCase = Callable[[CaseResult], None]

# Sizes at which a drawn case that fails is tried again, the smallest first.
_SIZES = (1, 2, 3, 4, 5, 6, 8, 12)
# A call after which nobody minds to hear of its case only when the next one has ended.
_QUICK_S = 0.02
_GONE = "the object went with its process in an earlier case"
# A limit would have to be reached again, which takes its time.
_SHRINKABLE = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)


class Announcer:
    """Tells of each case once, also when an attempt is repeated."""

    def __init__(self, on_case: OnCase | None) -> None:
        self._on_case = on_case
        self._told: set[int] = set()

    @property
    def listened_to(self) -> bool:
        """Whether anyone wants to hear of cases as they come."""
        return self._on_case is not None

    def __call__(self, case: CaseResult) -> None:
        if self._on_case is not None and case.case_id not in self._told:
            self._told.add(case.case_id)
            self._on_case(replace(case) if not case.hidden else case.veiled())


def _why_stop(session: Session, begun: Sequence[CaseResult]) -> str | None:
    """Why no further case is begun, in a sentence; None while there is time."""
    late = sum(result.verdict is Verdict.TIME_LIMIT_EXCEEDED for result in begun)
    if late >= MAX_TIMED_OUT:
        return f"{late} cases before it ran into the time limit"
    return session.spent


def _not_begun(problem: Problem, why: str, begun: tuple[CaseResult, ...]) -> CaseResult:
    """The case before which the time of the whole submission ran out.

    It fails: a submission that sleeps would else win with the cases it knows.
    """
    name = _next_name(problem, begun)
    case = next((case for case in problem.cases if case.name == name), None)
    return CaseResult(
        case_id=len(begun) + 1,
        case_name=name,
        verdict=Verdict.TIME_LIMIT_EXCEEDED,
        hidden=case.hidden if case is not None else False,
        message=f"not begun: {why}",
    )


def _next_name(problem: Problem, begun: Sequence[CaseResult]) -> str:
    """The name of the first case that was not begun."""
    names = {case.case_name for case in begun}
    return next((case.name for case in problem.cases if case.name not in names), "the end")


class DeclaredRun:
    """Judges the declared cases one after the other.

    While a referee compares one case the worker runs the next. Where someone wants to hear of
    each case at once that is so only among quick ones: a slow one would hold back the news.
    """

    def __init__(
        self,
        referees: RefereePool,
        problem: Problem,
        referee: Referee,
        session: Session,
        announce: Announcer,
    ) -> None:
        self._referees = referees
        self._problem = problem
        self._referee = referee
        self._session = session
        self._announce = announce
        self._results: list[CaseResult] = []
        self._comparing: tuple[int, Outcome] | None = None

    def cases(self) -> tuple[CaseResult, ...]:
        """Run the cases and return what became of each."""
        for number in range(len(self._problem.cases)):
            if (why := _why_stop(self._session, self._results)) is not None:
                self._finish()
                self._add(_not_begun(self._problem, why, tuple(self._results)))
                break
            outcome = self._session.call(self._inputs(number), seed_for(self._problem.slug, number))
            self._finish()
            self._begin(number, outcome)
            if self._announce.listened_to and outcome.used.wall_s > _QUICK_S:
                self._finish()
        self._finish()
        self._show_drawn_failure()
        return tuple(self._results)

    def _show_drawn_failure(self) -> None:
        """Give the first failing case, if drawn, its inputs, or smaller ones that fail too."""
        found = next((n for n, result in enumerate(self._results) if not result.passed), None)
        if found is None or found >= len(self._problem.cases):
            return
        if self._problem.cases[found].drawn is None:
            return
        result, size = self._results[found], None
        if self._referee.draws_by_size and result.verdict in _SHRINKABLE:
            for smaller in _SIZES:
                if self._session.spent is not None:
                    break
                try:
                    tried = self._try(found, smaller)
                except ReferenceFault:  # so small that the problem's own code has no answer
                    if not self._referee.usable:
                        return
                    continue
                if tried.verdict is result.verdict:
                    result, size = replace(tried, time_ms=result.time_ms), smaller
                    break
                if not tried.passed:  # a limit, say: one more would be waited for as long
                    break
        shown = self._referee.describe(found, size, MAX_SHOWN_INPUT_CHARS)
        drawn = {**(result.generated or {}), "size": size}
        self._results[found] = replace(result, input=shown, generated=drawn)

    def _try(self, number: int, size: int) -> CaseResult:
        """Judge a drawn case at another size."""
        inputs = self._referee.inputs(number, size)
        outcome = self._session.call(inputs, seed_for(self._problem.slug, number))
        judged = None
        if outcome.verdict is None:
            self._referee.begin_compare(number, outcome, size)
            judged = self._referee.end_compare()
        name = self._problem.cases[number].name
        return case_result(self._problem, number, name, [outcome], judged)

    def _inputs(self, number: int) -> bytes:
        kept = self._referees.kept_inputs(self._problem, number)
        if kept is not None:
            return kept
        self._finish()  # a referee does one thing at a time
        return self._referees.inputs(self._referee, self._problem, number)

    def _begin(self, number: int, outcome: Outcome) -> None:
        case = self._problem.cases[number]
        if case.expect_error is not None and _answers(outcome):
            self._referee.begin_compare(number, outcome)
            # What it raised is compared; it is an answer now, not an accident.
            self._comparing = number, replace(outcome, verdict=None, raised=None)
        elif outcome.verdict is None:
            self._referee.begin_compare(number, outcome)
            self._comparing = number, outcome
        else:
            # Where the reference fails as well, the case is at fault, not the submission.
            self._referee.expect(number)
            self._add(case_result(self._problem, number, case.name, [outcome], None))

    def _finish(self) -> None:
        if self._comparing is None:
            return
        (number, outcome), self._comparing = self._comparing, None
        judged = self._referee.end_compare()
        name = self._problem.cases[number].name
        self._add(case_result(self._problem, number, name, [outcome], judged))

    def _add(self, result: CaseResult) -> None:
        self._results.append(result)
        self._announce(result)


def _answers(outcome: Outcome) -> bool:
    """Whether the outcome can be what an expected exception is compared with."""
    return not outcome.lost and (
        outcome.verdict is None
        or (outcome.raised is not None and outcome.verdict is not Verdict.MEMORY_LIMIT_EXCEEDED)
    )


class TestCodeRun:
    """Judges by a problem's own `test_code`, which calls the submission as it likes."""

    def __init__(
        self, problem: Problem, referee: Referee, session: Session, announce: Announcer
    ) -> None:
        self._problem = problem
        self._referee = referee
        self._session = session
        self._announce = announce
        self._calls: list[Outcome] = []
        self._room = MAX_CAPTURED_CHARS, MAX_CAPTURED_CHARS  # for text of the case at hand
        self._results: list[CaseResult] = []

    def cases(self) -> tuple[CaseResult, ...]:
        """Run the test code and return what it recorded."""
        ended = self._referee.run_test_code(self._call, self._record)
        if ended == "escaped":
            self._record(_next_name(self._problem, self._results), Judged(passed=False))
            return tuple(self._results)
        if ended == "stopped":
            why = _why_stop(self._session, self._results) or "the judge ended the run"
            late = _not_begun(self._problem, why, tuple(self._results))
            self._results.append(late)
            self._announce(late)
            return tuple(self._results)
        executed = {case.case_name for case in self._results}
        for case in self._problem.cases:
            if case.name not in executed:
                raise ReferenceFault(f"test_code does not run the declared case {case.name!r}")
        return tuple(self._results)

    def _call(self, arguments: memoryview, act: dict[str, Any]) -> Outcome | None:
        if _why_stop(self._session, self._results) is not None:
            return None
        if act["gone"]:
            outcome = Outcome(Verdict.RUNTIME_ERROR, _GONE, lost=True)
        else:
            outcome = self._session.act(arguments, act)
        # Without its body: of a case with many calls, all would be held at once.
        # And of what was printed no more than is shown: calls may be many.
        out, err = self._room
        kept = replace(
            outcome,
            body=memoryview(b""),
            stdout=outcome.stdout[:out],
            stderr=outcome.stderr[:err],
        )
        self._room = out - len(kept.stdout), err - len(kept.stderr)
        self._calls.append(kept)
        return outcome

    def _record(self, name: str, judged: Judged) -> None:
        result = case_result(self._problem, len(self._results), name, self._calls, judged)
        self._calls = []
        self._room = MAX_CAPTURED_CHARS, MAX_CAPTURED_CHARS
        self._results.append(result)
        self._announce(result)
