"""Judges one submission, from source to report."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from grader.case_runs import Announcer, DeclaredRun, OnCase, TestCodeRun
from grader.errors import InternalFault, ReferenceFault
from grader.limits import Limits
from grader.outcome import Outcome
from grader.referees import RefereePool
from grader.report import CaseResult, Report, Usage, Verdict, overall_verdict, veil_hidden
from grader.sandbox.spares import Spares
from grader.session import Rules, Session
from grader.spec import Problem
from grader.static_check import Violation

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
    announce = Announcer(on_case)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            findings = _attempt(court, problem, limits, source, static_check, announce)
            break
        except ReferenceFault as fault:
            message = f"the problem is at fault, not the submission: {fault}"
        except (InternalFault, MemoryError) as fault:
            why = "the host is out of memory" if isinstance(fault, MemoryError) else fault
            message = f"the grader is at fault, not the submission: {why}"
            if attempt < _ATTEMPTS:
                continue
        except Exception as error:
            # A fault of ours that nobody thought of must not end those behind it.
            message = f"the grader is at fault, not the submission: {_told(error)}"
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
    announce: Announcer,
) -> _Findings:
    rules = Rules.of(problem, limits)
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
            cases = DeclaredRun(court.referees, problem, referee, session, announce).cases()
        else:
            cases = TestCodeRun(problem, referee, session, announce).cases()
    return _Findings(overall_verdict(cases), cases=cases, outcome=loaded)


def _told(error: Exception) -> str:
    """Kind and place of an unexpected exception, for a report to us."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    place = "" if step is None else f" at {step.tb_frame.f_code.co_qualname}:{step.tb_lineno}"
    return f"unexpected {type(error).__name__}{place}"


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
