"""Judges one submission, from source to report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from grader.errors import InternalFault, ReferenceFault
from grader.limits import Limits
from grader.outcome import Outcome
from grader.referees import Judged, Referee, RefereePool, seed_for
from grader.report import CaseResult, Report, Usage, Verdict, overall_verdict, veil_hidden
from grader.sandbox.spares import Spares
from grader.session import Rules, Session
from grader.spec import Problem
from grader.static_check import Violation

OnCase = Callable[[CaseResult], None]
_ATTEMPTS = 2  # a fault of ours is tried once more


@dataclass(frozen=True)
class Court:
    """What judging needs: workers, referees, and what the report says of them."""

    spares: Spares
    referees: RefereePool
    isolation: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class _Findings:
    """What one attempt found out."""

    verdict: Verdict
    cases: tuple[CaseResult, ...] = ()
    violations: tuple[Violation, ...] = ()
    outcome: Outcome = field(default_factory=Outcome)


def judge(
    court: Court,
    problem: Problem,
    source: bytes,
    *,
    static_check: bool = True,
    on_case: OnCase | None = None,
) -> Report:
    """Judge a submission; whatever it does, a report comes back.

    Args:
        source: as sent; its encoding is the submission's affair.
        on_case: called with each case as soon as it is judged, once a case.
    """
    began = time.monotonic()
    limits = Limits.of(problem.time_limit_s, problem.memory_limit_mb, len(problem.cases))
    announce = _Announcer(on_case)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            findings = _attempt(court, problem, limits, source, static_check, announce)
            break
        except ReferenceFault as fault:
            message = f"the problem is at fault, not the submission: {fault}"
        except InternalFault as fault:
            message = f"the grader is at fault, not the submission: {fault}"
            if attempt < _ATTEMPTS:
                continue
        findings = _Findings(
            Verdict.INTERNAL_ERROR, outcome=Outcome(Verdict.INTERNAL_ERROR, message)
        )
        break
    cases = veil_hidden(_complete(problem, findings))
    return Report(
        slug=problem.slug,
        verdict=findings.verdict,
        cases=cases,
        limits=limits,
        usage=_usage(began, cases, findings.outcome),
        isolation=court.isolation,
        versions=court.versions,
        digests={"spec": problem.digest, "source": sha256(source).hexdigest()},
        violations=findings.violations,
        message=findings.outcome.message,
        stdout=findings.outcome.stdout,
        stderr=findings.outcome.stderr,
        attempts=attempt,
        static_check=static_check,
    )


def _attempt(
    court: Court,
    problem: Problem,
    limits: Limits,
    source: bytes,
    static_check: bool,
    announce: _Announcer,
) -> _Findings:
    rules = Rules(
        problem.entry_point,
        problem.forbidden_modules,
        problem.forbidden_calls,
        limits,
        len(problem.cases),
    )
    with (
        court.referees.lend(problem, limits) as referee,
        Session(court.spares, rules, source, static_check=static_check) as session,
    ):
        checked = session.check()
        if checked.outcome is not None and checked.outcome.verdict is not None:
            return _Findings(checked.outcome.verdict, outcome=checked.outcome)
        if checked.violations:
            return _Findings(Verdict.FORBIDDEN, violations=checked.violations)
        loaded = session.load()
        if loaded.verdict is not None:
            return _Findings(loaded.verdict, outcome=loaded)
        if problem.test_code is None:
            cases = _DeclaredRun(court.referees, problem, referee, session, announce).cases()
        else:
            cases = _TestCodeRun(problem, referee, session, announce).cases()
    return _Findings(overall_verdict(cases), cases=cases, outcome=loaded)


def _not_begun(problem: Problem, limits: Limits, begun: tuple[CaseResult, ...]) -> CaseResult:
    """The case before which the time of the whole submission ran out.

    It fails: a submission that sleeps would else win with the cases it knows.
    """
    names = {case.case_name for case in begun}
    case = next((case for case in problem.cases if case.name not in names), None)
    return CaseResult(
        case_id=len(begun) + 1,
        case_name=case.name if case is not None else "the end",
        verdict=Verdict.TIME_LIMIT_EXCEEDED,
        hidden=case.hidden if case is not None else False,
        message=f"not begun: all cases together may take {limits.total_wall_s:g} s on the clock",
    )


class _DeclaredRun:
    """Judges the declared cases one after the other.

    While a referee compares one case the worker runs the next, unless someone wants to hear
    of each case at once.
    """

    def __init__(
        self,
        referees: RefereePool,
        problem: Problem,
        referee: Referee,
        session: Session,
        announce: _Announcer,
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
            if self._session.out_of_time:
                self._finish()
                self._add(_not_begun(self._problem, self._session.limits, tuple(self._results)))
                break
            outcome = self._session.call(self._inputs(number), seed_for(self._problem.slug, number))
            self._finish()
            self._begin(number, outcome)
            if self._announce.listened_to:
                self._finish()
        self._finish()
        return tuple(self._results)

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
            self._add(_case_result(self._problem, number, case.name, [outcome], None))

    def _finish(self) -> None:
        if self._comparing is None:
            return
        (number, outcome), self._comparing = self._comparing, None
        judged = self._referee.end_compare()
        name = self._problem.cases[number].name
        self._add(_case_result(self._problem, number, name, [outcome], judged))

    def _add(self, result: CaseResult) -> None:
        self._results.append(result)
        self._announce(result)


def _answers(outcome: Outcome) -> bool:
    """Whether the outcome can be what an expected exception is compared with."""
    return not outcome.lost and (
        outcome.verdict is None
        or (outcome.raised is not None and outcome.verdict is not Verdict.MEMORY_LIMIT_EXCEEDED)
    )


class _TestCodeRun:
    """Judges by a problem's own `test_code`, which calls the submission as it likes."""

    def __init__(
        self, problem: Problem, referee: Referee, session: Session, announce: _Announcer
    ) -> None:
        self._problem = problem
        self._referee = referee
        self._session = session
        self._announce = announce
        self._calls: list[Outcome] = []
        self._results: list[CaseResult] = []

    def cases(self) -> tuple[CaseResult, ...]:
        """Run the test code and return what it recorded."""
        if not self._referee.run_test_code(self._call, self._record):
            late = _not_begun(self._problem, self._session.limits, tuple(self._results))
            self._results.append(late)
            self._announce(late)
            return tuple(self._results)
        executed = {case.case_name for case in self._results}
        for case in self._problem.cases:
            if case.name not in executed:
                raise ReferenceFault(f"test_code does not run the declared case {case.name!r}")
        return tuple(self._results)

    def _call(self, arguments: memoryview, seed: int) -> Outcome | None:
        if self._session.out_of_time:
            return None
        outcome = self._session.call(arguments, seed)
        # Without its body: of a case with many calls, all would be held at once.
        self._calls.append(replace(outcome, body=memoryview(b"")))
        return outcome

    def _record(self, name: str, judged: Judged) -> None:
        result = _case_result(self._problem, len(self._results), name, self._calls, judged)
        self._calls = []
        self._results.append(result)
        self._announce(result)


# --- verdicts -----------------------------------------------------------------------------


def _case_result(
    problem: Problem, number: int, name: str, calls: list[Outcome], judged: Judged | None
) -> CaseResult:
    """Decide one case from what its calls came to and what the referee said."""
    verdict, message = _decide(problem, calls, judged)
    declared = next((case for case in problem.cases if case.name == name), None)
    passed = verdict is Verdict.ACCEPTED
    said = judged if judged is not None and not _overruled(calls) else Judged(passed=passed)
    return CaseResult(
        case_id=number + 1,
        case_name=name,
        verdict=verdict,
        hidden=declared.hidden if declared is not None else False,
        message=message,
        time_ms=round(sum(call.used.wall_s for call in calls) * 1000, 3),
        cpu_ms=round(sum(call.used.cpu_s for call in calls) * 1000, 3),
        memory_mb=round(max((call.used.memory_mb for call in calls), default=0.0), 1),
        max_diff=said.max_diff,
        where=said.where,
        hint=said.hint,
        user_output_summary=said.user_output_summary,
        expected_summary=said.expected_summary,
        input=dict(declared.raw_inputs) if declared is not None else None,
        stdout="".join(call.stdout for call in calls),
        stderr="".join(call.stderr for call in calls),
    )


def _overruled(calls: list[Outcome]) -> bool:
    """Whether a call of the case decides it, whatever the test code made of it."""
    return any(_decisive(call) for call in calls)


def _decisive(call: Outcome) -> bool:
    return call.verdict is not None and (
        call.lost or call.raised is None or call.verdict is Verdict.MEMORY_LIMIT_EXCEEDED
    )


def _decide(problem: Problem, calls: list[Outcome], judged: Judged | None) -> tuple[Verdict, str]:
    for call in calls:
        if call.verdict is not None and _decisive(call):
            return call.verdict, call.message
    raised = next((call for call in calls if call.raised is not None), None)
    if judged is None or not judged.passed:
        if raised is not None and raised.verdict is not None:
            return raised.verdict, raised.message
        return Verdict.WRONG_ANSWER, judged.message if judged is not None else ""
    changed = [name for call in calls for name in call.changed]
    if changed and problem.checks.inputs_unchanged:
        return Verdict.WRONG_ANSWER, _changed_sentence(problem, changed[0])
    return Verdict.ACCEPTED, ""


def _changed_sentence(problem: Problem, name: str) -> str:
    shown = f"argument {int(name) + 1}" if name.isdigit() else f"`{name}`"
    return (
        f"the input {shown} was changed by the call; work on a copy (x.clone(), x.copy(), list(x))"
    )


def _complete(problem: Problem, findings: _Findings) -> tuple[CaseResult, ...]:
    """Add the declared cases that were not run."""
    names = {case.case_name for case in findings.cases}
    missing = [case for case in problem.cases if case.name not in names]
    skipped = [
        CaseResult(
            case_id=len(findings.cases) + number,
            case_name=case.name,
            verdict=Verdict.SKIPPED,
            hidden=case.hidden,
            message="not run",
        )
        for number, case in enumerate(missing, 1)
    ]
    return (*findings.cases, *skipped)


def _usage(began: float, cases: tuple[CaseResult, ...], loaded: Outcome) -> Usage:
    return Usage(
        wall_ms=round((time.monotonic() - began) * 1000, 3),
        cpu_ms=round(loaded.used.cpu_s * 1000 + sum(case.cpu_ms for case in cases), 3),
        memory_mb=max(
            [round(loaded.used.memory_mb, 1), *(case.memory_mb for case in cases)], default=0.0
        ),
    )


class _Announcer:
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
