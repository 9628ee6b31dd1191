"""Decides one case, from what its calls came to and what the referee said of it."""

from __future__ import annotations

from grader.limits import MAX_CAPTURED_CHARS
from grader.outcome import Outcome
from grader.referees import Judged
from grader.report import CaseResult, Verdict
from grader.spec import Case, Checks, Problem


def case_result(
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
        generated=_generated(problem, declared),
        stdout="".join(call.stdout for call in calls)[:MAX_CAPTURED_CHARS],
        stderr="".join(call.stderr for call in calls)[:MAX_CAPTURED_CHARS],
    )


def _generated(problem: Problem, case: Case | None) -> dict[str, int | None] | None:
    """What `grader case` needs to draw the case again."""
    if case is None or case.drawn is None or problem.generated_cases is None:
        return None
    return {"index": case.drawn, "seed": problem.generated_cases.seed, "size": None}


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
    for call in calls:
        broken = _broken_check(problem.checks, call)
        if broken is not None:
            return Verdict.WRONG_ANSWER, broken
    return Verdict.ACCEPTED, ""


def _broken_check(checks: Checks, call: Outcome) -> str | None:
    """What a call did that the problem's checks forbid, in a sentence."""
    if call.changed and checks.inputs_unchanged:
        return (
            f"the input {_argument(call.changed[0])} was changed by the call;"
            " work on a copy (x.clone(), x.copy(), list(x))"
        )
    if call.aliased and checks.no_alias:
        return (
            f"the result shares memory with the input {_argument(call.aliased[0])};"
            " return a copy (x.clone(), x.copy(), list(x))"
        )
    if not call.repeated and checks.deterministic:
        return "a second call with the same inputs and the same random seed gave another result"
    return None


def _argument(name: str) -> str:
    # A worker may write any text; `"²".isdigit()` is true, and `int` refuses it.
    is_place = name.isascii() and name.isdigit() and len(name) < 10
    return f"argument {int(name) + 1}" if is_place else f"`{name}`"
