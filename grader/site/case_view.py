"""What is shown of one case, taken from its record in a report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from grader.batch.summary_text import summary_parts
from grader.report import Verdict
from grader.site.alignment import Aligned, Cell, align
from grader.spec import Problem

LIMITS: Final = (
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.MEMORY_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT_EXCEEDED,
)


@dataclass(frozen=True)
class Value:
    """A value as the report sums it up: a preview and what kind it is of."""

    preview: str
    about: str


@dataclass(frozen=True)
class Used:
    """What was used of a limit, in the unit of `unit`."""

    word: str
    used: float
    allowed: float
    unit: str  # "ms" or "MiB"


@dataclass(frozen=True)
class CaseView:
    """One case with what its details need.

    Attributes:
        opened: whether it is the first that failed.
        worst: the elements farthest off with their index, worst first.
    """

    number: int
    case: dict[str, Any]
    opened: bool
    actual: Value | None
    expected: Value | None
    aligned: Aligned | None
    worst: list[tuple[str, Cell]]
    used: list[Used]
    command: str | None

    @property
    def failed(self) -> bool:
        """Whether it was run and did not pass."""
        return not self.case["passed"] and self.case["verdict"] != Verdict.SKIPPED

    @property
    def telling(self) -> bool:
        """Whether there is more to show than its row has."""
        case = self.case
        return self.failed or any(
            case.get(key) for key in ("stdout", "stderr", "input", "user_output_summary")
        )


def case_views(problem: Problem, report: dict[str, Any]) -> list[CaseView]:
    """Return the cases of a report in order."""
    cases = report["cases"]
    first = next(
        (n for n, case in enumerate(cases) if not case["passed"] and case["verdict"] != "skipped"),
        None,
    )
    return [_view(problem, report, n, case, n == first) for n, case in enumerate(cases)]


def _view(
    problem: Problem, report: dict[str, Any], index: int, case: dict[str, Any], opened: bool
) -> CaseView:
    actual, expected = case.get("user_output_summary"), case.get("expected_summary")
    aligned = None
    if case["verdict"] == Verdict.WRONG_ANSWER:
        own = next((one for one in problem.cases if one.name == case["case_name"]), None)
        atol = problem.atol if own is None or own.atol is None else own.atol
        rtol = problem.rtol if own is None or own.rtol is None else own.rtol
        aligned = align(actual, expected, atol, rtol)
    return CaseView(
        number=index + 1,
        case=case,
        opened=opened,
        actual=None if actual is None else Value(*summary_parts(actual)),
        expected=None if expected is None else Value(*summary_parts(expected)),
        aligned=aligned,
        worst=_worst(aligned),
        used=_used(case, report.get("limits") or {}),
        command=_command(problem, case),
    )


def _worst(aligned: Aligned | None) -> list[tuple[str, Cell]]:
    if aligned is None:
        return []
    wrong = [
        (f"[{x}]" if aligned.vector else f"[{y}, {x}]", cell)
        for y, row in enumerate(aligned.rows)
        for x, cell in enumerate(row)
        if cell.error is not None
    ]
    wrong.sort(key=_distance, reverse=True)
    return wrong[:5]


def _distance(each: tuple[str, Cell]) -> float:
    """How far off an element is; NaN against a number is farthest."""
    error = each[1].error or 0.0
    return math.inf if math.isnan(error) else error


def _used(case: dict[str, Any], limits: dict[str, Any]) -> list[Used]:
    if case["verdict"] not in LIMITS or not limits:
        return []
    return [
        Used("cpu", case["cpu_ms"], limits["time_limit_s"] * 1000, "ms"),
        Used("clock", case["time_ms"], limits["wall_limit_s"] * 1000, "ms"),
        Used("memory", case["memory_mb"], limits["memory_limit_mb"], "MiB"),
    ]


def _command(problem: Problem, case: dict[str, Any]) -> str | None:
    drawn = case.get("generated")
    if not drawn:
        return None
    size = "" if drawn.get("size") is None else f" --size {drawn['size']}"
    return f"grader case {problem.slug} {drawn['index']}{size}"
