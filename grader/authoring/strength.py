"""How much the cases tell apart: mutants of the reference, each judged like a submission."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from grader.authoring.findings import Check, Inspection
from grader.authoring.mutants import Mutant, mutants_of
from grader.engine import Grader
from grader.report import CaseResult, Report, Verdict
from grader.spec import Problem

BAR = 0.90
WANTED_MUTANTS = 30
# A mutant that loops for ever is known as such after this many times the reference's time.
_PATIENCE = 20
_LEAST_TIME_S = 0.25
_SHOWN = 12  # survivors told one by one

JudgeAll = Callable[[Problem, list[bytes]], list[Report]]


@dataclass(frozen=True)
class Trial:
    """A mutant and the report it got."""

    mutant: Mutant
    report: Report

    @property
    def killed(self) -> bool:
        """Whether some case told it from the reference."""
        return self.report.verdict is not Verdict.ACCEPTED


def judge_all(grader: Grader, problem: Problem, sources: list[bytes]) -> list[Report]:
    """Judge sources side by side, without the static check: a mutant is no cheat."""
    futures: list[Future[Report]] = [
        grader.submit(problem, source, static_check=False) for source in sources
    ]
    return [future.result() for future in futures]


def try_mutants(grader: Grader, problem: Problem, reference: Report) -> list[Trial]:
    """Judge every mutant of a problem's reference.

    Args:
        reference: the report of the reference, for the time it takes.
    """
    slowest = max((case.cpu_ms for case in reference.cases), default=0.0) / 1000
    limit = min(problem.time_limit_s, max(_PATIENCE * slowest, _LEAST_TIME_S))
    hasty = replace(problem, time_limit_s=limit)
    mutants = mutants_of(problem.reference_code)
    reports = judge_all(grader, hasty, [mutant.source.encode() for mutant in mutants])
    return [Trial(mutant, report) for mutant, report in zip(mutants, reports, strict=True)]


def weigh(problem: Problem, trials: list[Trial], inspection: Inspection) -> list[Mutant]:
    """Count what was killed, note what was not; return the survivors."""
    listed = {(each.before, each.after) for each in problem.equivalent_mutants}
    counted = [trial for trial in trials if _key(trial.mutant) not in listed]
    inspection.mutants = len(counted)
    inspection.equivalent = len(trials) - len(counted)
    inspection.killed = sum(trial.killed for trial in counted)
    _look_at_equivalents(problem, trials, inspection)
    faults = [trial for trial in counted if trial.report.verdict is Verdict.INTERNAL_ERROR]
    for trial in faults[:3]:
        inspection.error(Check.RUN, _said(trial.mutant), trial.report.message)
    survivors = [trial.mutant for trial in counted if not trial.killed]
    _tell_of_survivors(survivors, inspection)
    if len(trials) < WANTED_MUTANTS:
        inspection.warn(
            Check.MUTANTS, "reference_code", f"only {len(trials)} mutants; it has room for no more"
        )
    return survivors


def _tell_of_survivors(survivors: list[Mutant], inspection: Inspection) -> None:
    fails = inspection.score is not None and inspection.score < BAR
    note = inspection.error if fails else inspection.warn
    if fails:
        inspection.error(
            Check.MUTANTS,
            "test_cases",
            f"{inspection.killed} of {inspection.mutants} mutants are told from the reference"
            f" ({inspection.score:.0%}), {BAR:.0%} wanted; `--suggest` looks for cases",
        )
    for mutant in survivors[:_SHOWN]:
        note(
            Check.MUTANTS,
            f"reference line {mutant.line}",
            f"no case sees the mutant {_said(mutant)}",
        )
    if len(survivors) > _SHOWN:
        note(Check.MUTANTS, "reference_code", f"{len(survivors) - _SHOWN} more mutants live")


def _look_at_equivalents(problem: Problem, trials: list[Trial], inspection: Inspection) -> None:
    by_key = {_key(trial.mutant): trial for trial in trials}
    for each in problem.equivalent_mutants:
        where = f"`{each.before}` → `{each.after}`"
        trial = by_key.get((each.before, each.after))
        if trial is None:
            inspection.error(
                Check.EQUIVALENT, where, "listed as equivalent, but there is no such mutant"
            )
        elif trial.killed:
            names = [repr(case.case_name) for case in trial.report.cases if _failed(case)]
            seen = f"the case {names[0]} sees it" if names else "it does not even load"
            inspection.error(Check.EQUIVALENT, where, f"listed as equivalent, but {seen}")


def idle_cases(problem: Problem, reports: list[Report]) -> list[str]:
    """Return the declared cases that fail nothing that was judged: no mutant, no wrong solution.

    What fails in every case (`return None`) says nothing of any.
    """
    telling = [report for report in reports if report.passed]
    busy = {case.case_name for report in telling for case in report.cases if _failed(case)}
    return [case.name for case in problem.cases if case.drawn is None and case.name not in busy]


def _failed(case: CaseResult) -> bool:
    """Whether a case was run and told; one that was not run tells nothing."""
    return not case.passed and case.verdict is not Verdict.SKIPPED


def _key(mutant: Mutant) -> tuple[str, str]:
    return mutant.before, mutant.after


def _said(mutant: Mutant) -> str:
    return f"`{mutant.before}` → `{mutant.after}`"
