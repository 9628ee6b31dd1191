"""The author's gate: runs everything a problem claims, and says what does not hold."""

from __future__ import annotations

import time

from grader.authoring.findings import Check, Inspection
from grader.authoring.statements import look_at_texts
from grader.authoring.strength import idle_cases, judge_all, try_mutants, weigh
from grader.authoring.suggest import suggest_cases
from grader.authoring.workshop import Workpiece
from grader.engine import Grader
from grader.errors import ReferenceFault
from grader.report import Report, Verdict
from grader.spec import Case, Problem

_CASES = range(8, 21)
_SHOWN_CASES = range(2, 4)
_DRAWN = 3  # of so many cases at least one is drawn
_ACCEPTED, _WRONG = 2, 5  # how many solutions of each kind are wanted at least
_ROOM = 5  # times the reference's time and memory that the limits leave
_LEAST_MS = 50.0  # a slower machine's hiccup; below it a time says nothing
_RTOL_FLOOR = 1e-6


def inspect(grader: Grader, piece: Workpiece, *, suggest: bool = False) -> Inspection:
    """Look a problem over.

    Args:
        suggest: whether to search for cases that kill surviving mutants.

    Raises:
        InternalFault: the grader itself failed.
    """
    began = time.monotonic()
    inspection = Inspection(piece.slug)
    _look_at_form(piece, inspection)
    if piece.problem is not None:
        _look_at_problem(grader, piece, piece.problem, inspection, suggest)
    inspection.seconds = round(time.monotonic() - began, 2)
    return inspection


def _look_at_form(piece: Workpiece, inspection: Inspection) -> None:
    for fault in piece.faults:
        inspection.error(Check.FORM, f"{fault.file}:{fault.line}", f"{fault.path}: {fault.message}")
    problem = piece.problem
    if problem is None:
        return
    drawn = sum(case.drawn is not None for case in problem.cases)
    inspection.declared, inspection.drawn = len(problem.cases) - drawn, drawn
    if piece.twin is not None and piece.twin != problem.reference_code:
        inspection.error(
            Check.FORM, "solution.py", "differs from reference_code; `grader pack` writes both"
        )
    if len(problem.cases) not in _CASES:
        inspection.warn(Check.CASES, "test_cases", f"{len(problem.cases)} cases, 8 to 20 are usual")
    if problem.test_code is None and drawn * _DRAWN < len(problem.cases):
        said = f"{drawn} of {len(problem.cases)} cases, at least a third is usual"
        inspection.warn(Check.CASES, "generated_cases", said)
    shown = sum(not case.hidden for case in problem.cases)
    if shown not in _SHOWN_CASES:
        inspection.warn(Check.CASES, "test_cases", f"{shown} shown cases, 2 or 3 are usual")


def _look_at_problem(
    grader: Grader, piece: Workpiece, problem: Problem, inspection: Inspection, suggest: bool
) -> None:
    faults = grader.dry_run(problem)
    for path, message in faults:
        inspection.error(Check.RUN, path, message)
    if faults:
        return
    reference = grader.grade(problem, problem.reference_code)
    if reference.verdict is not Verdict.ACCEPTED:
        inspection.error(Check.REFERENCE, "reference_code", _why(reference))
        return
    _look_at_cost(problem, reference, inspection)
    try:
        with grader.referee(problem) as referee:
            look_at_texts(problem, referee, inspection)
            if problem.test_code is None:
                studies = [referee.study(number) for number in range(len(problem.cases))]
                _look_at_tolerance(problem, studies, inspection)
    except ReferenceFault as fault:
        inspection.error(Check.RUN, fault.path, str(fault))
        return
    wrong = _look_at_solutions(grader, piece, problem, inspection)
    trials = try_mutants(grader, problem, reference)
    survivors = weigh(problem, trials, inspection)
    for name in idle_cases(problem, [*wrong, *(trial.report for trial in trials)]):
        inspection.warn(Check.CASES, name, "fails no mutant and no wrong solution; is it needed?")
    if suggest and problem.test_code is None:
        inspection.suggestions = suggest_cases(grader, problem, survivors)


def _look_at_solutions(
    grader: Grader, piece: Workpiece, problem: Problem, inspection: Inspection
) -> list[Report]:
    """Judge starter, right and wrong solutions; return the reports of the wrong ones."""
    inspection.accepted, inspection.wrong = len(piece.accepted), len(piece.wrong)
    if len(piece.accepted) < _ACCEPTED:
        inspection.error(
            Check.ACCEPTED, "accepted/", f"{len(piece.accepted)} right solutions, 2 wanted at least"
        )
    if len(piece.wrong) < _WRONG:
        inspection.error(
            Check.WRONG, "wrong/", f"{len(piece.wrong)} wrong solutions, 5 wanted at least"
        )
    starter = grader.grade(problem, problem.starter_code)
    passed = [case.case_name for case in starter.cases if case.passed]
    if passed:
        inspection.error(
            Check.STARTER, "starter_code", f"passes {len(passed)} cases, {passed[0]!r} first"
        )
    for solution in piece.accepted:
        report = grader.grade(problem, solution.source)
        if report.verdict is not Verdict.ACCEPTED:
            inspection.error(Check.ACCEPTED, f"accepted/{solution.name}", _why(report))
    reports = judge_all(grader, problem, [solution.source for solution in piece.wrong])
    for place, solution in enumerate(piece.wrong):
        report = reports[place]
        if solution.verdict == "forbidden":  # for which the static check is needed
            report = reports[place] = grader.grade(problem, solution.source)
        where = f"wrong/{solution.name}"
        if report.verdict is Verdict.ACCEPTED:
            inspection.error(Check.WRONG, where, "is accepted; no case shows its trap")
        elif solution.verdict is None:
            inspection.error(
                Check.WRONG, where, "its docstring names no verdict (`Verdict: wrong_answer.`)"
            )
        elif report.verdict != solution.verdict:
            said = f"gets {report.verdict}, its docstring names {solution.verdict}"
            inspection.error(Check.WRONG, where, f"{said}; {_why(report)}")
    return reports


def _look_at_cost(problem: Problem, reference: Report, inspection: Inspection) -> None:
    slowest = max(reference.cases, key=lambda case: case.cpu_ms)
    if slowest.cpu_ms > _LEAST_MS and slowest.cpu_ms * _ROOM > problem.time_limit_s * 1000:
        inspection.warn(
            Check.COST,
            slowest.case_name,
            f"the reference takes {slowest.cpu_ms:.0f} ms of CPU time,"
            f" the limit is {problem.time_limit_s:g} s: less than {_ROOM} times that",
        )
    largest = max(reference.cases, key=lambda case: case.memory_mb)
    if largest.memory_mb * _ROOM > problem.memory_limit_mb:
        inspection.warn(
            Check.COST,
            largest.case_name,
            f"the reference takes {largest.memory_mb:.0f} MiB,"
            f" the limit is {problem.memory_limit_mb} MiB: less than {_ROOM} times that",
        )


def _look_at_tolerance(
    problem: Problem, studies: list[dict[str, object]], inspection: Inspection
) -> None:
    """Judge what lazy answers would earn, and whether exact ones would be refused."""
    named = list(zip(problem.cases, studies, strict=True))
    returning = [(case, study) for case, study in named if not study["raises"]]
    for case, study in returning:
        if study["zeros"]:
            inspection.error(
                Check.TOLERANCE, case.name, "zeros would pass; the tolerance is too loose for it"
            )
        if study["nan"] and "NaN" not in problem.description_md:
            inspection.warn(
                Check.TOLERANCE, case.name, "the reference returns NaN; the statement is silent"
            )
    off = [study["off"] for _, study in returning if study["off"] is not None]
    if off and all(off):
        inspection.error(
            Check.TOLERANCE,
            "atol, rtol",
            f"the reference times 1.001 would be accepted; rtol {problem.rtol:g} is too loose",
        )
    if returning and len(returning) == len(named):
        if all(study["echo"] for _, study in returning):
            inspection.error(Check.LAZY, "test_cases", "an argument handed back would be accepted")
        if any(study["same"] == len(named) for _, study in returning):
            inspection.error(Check.LAZY, "test_cases", "one constant would be accepted everywhere")
    _look_at_rounding(problem, returning, inspection)


def _look_at_rounding(
    problem: Problem, returning: list[tuple[Case, dict[str, object]]], inspection: Inspection
) -> None:
    spread = 0.0
    for case, study in returning:
        rounding = study["rounding"]
        if not isinstance(rounding, dict):
            continue
        spread = max(spread, rounding["spread"])
        if rounding["tight"]:
            inspection.error(
                Check.TOLERANCE,
                case.name,
                "the reference in double precision would be refused;"
                f" propose rtol {max(10 * rounding['spread'], _RTOL_FLOOR):.1g}",
            )
    if spread and problem.rtol > 100 * max(10 * spread, _RTOL_FLOOR):
        inspection.warn(
            Check.TOLERANCE,
            "rtol",
            f"{problem.rtol:g} where float32 and float64 differ by {spread:.1g};"
            f" propose {max(10 * spread, _RTOL_FLOOR):.1g}",
        )


def _why(report: Report) -> str:
    """The first reason a report gives."""
    if report.violations:
        first = report.violations[0]
        return f"{report.verdict}, line {first.line}: {first.message}"
    failed = next((case for case in report.cases if not case.passed), None)
    if failed is None:
        return f"{report.verdict}: {report.message}"
    return f"{report.verdict} in {failed.case_name!r}: {failed.message or report.message}"
