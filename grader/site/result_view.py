"""What the page of one submission is filled with: its state, its cases, its place among others."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from grader.site import pictures
from grader.site.case_view import case_views
from grader.site.markup import code_lines, is_clipped
from grader.site.rendering import time_text
from grader.site.values import Attempt, Look, html_language
from grader.site.wording import word
from grader.spec import Problem

_MOST_DIFF_LINES: Final = 4_000  # the comparison takes quadratic time at worst


def texts_of(look: Look, problem: Problem) -> dict[str, Any]:
    """The texts of a problem in the look's language, each in the main one where it is missing."""
    own = look.language == problem.language
    there: Mapping[str, Any] = {} if own else problem.translations.get(look.language, {})
    names = ("title", "description_md", "hints", "editorial_md")
    made = {name: there.get(name) or getattr(problem, name) for name in names}
    translated = own or bool(there.get("description_md"))
    language = look.language if translated else problem.language
    return {**made, "translated": translated, "lang": html_language(language)}


def result_values(
    look: Look,
    problem: Problem,
    submission: Attempt,
    waiting_before: int,
    times: Sequence[float],
    next_slug: str | None,
) -> dict[str, Any]:
    """Return all that `result_part.html` names."""
    report = submission.report if submission.state == "done" else None
    views = case_views(problem, report) if report else []
    names = [] if report else _names(look, problem, submission)
    return {
        "problem": problem,
        "text": texts_of(look, problem),
        "submission": submission,
        "report": report,
        "views": views,
        "names": names,
        "state": state_of(submission),
        "waiting_before": waiting_before,
        "slowest": max((view.case["cpu_ms"] for view in views), default=0.0),
        "place": _place(look, submission, report, times),
        "next_slug": next_slug,
        "lines": code_lines(submission.source),
        "clipped": is_clipped(submission.source),
        "flagged": {one["line"] for one in report["violations"]} if report else set(),
    }


def state_of(submission: Attempt) -> str:
    """A verdict, or what is being done."""
    if submission.state != "done":
        return "running" if submission.state == "running" else "queued"
    return submission.verdict or (submission.report or {}).get("verdict") or "internal_error"


def _names(look: Look, problem: Problem, submission: Attempt) -> list[str]:
    """Names of the cases that will be judged."""
    if submission.kind == "submit" or problem.test_code is not None:
        return [case.name for case in problem.cases]
    if submission.custom_input:
        return [word("own", look.language)]
    return [case.name for case in problem.cases if not case.hidden]


def _place(
    look: Look, submission: Attempt, report: dict[str, Any] | None, times: Sequence[float]
) -> dict[str, Any] | None:
    """Where an accepted time stands among others; None where that says nothing."""
    if report is None or report["verdict"] != "accepted" or len(times) < 2:
        return None
    if submission.kind != "submit":
        return None
    mine = submission.cpu_ms if submission.cpu_ms is not None else report["usage"]["cpu_ms"]
    slower = sum(time > mine for time in times)
    share = 100 * slower // len(times)
    told = word("faster", look.language, share=share)
    me = word("you", look.language, time=time_text(mine))
    return {
        "told": told,
        "count": len(times),
        "picture": pictures.spread(times, mine, f"{told} ({me})", me, time_text),
    }


def changes(before: str, after: str) -> list[tuple[str, str, str, str]] | None:
    """Rows of a unified diff: kind, old line, new line, text; None if it is too long."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > _MOST_DIFF_LINES:
        return None
    rows: list[tuple[str, str, str, str]] = []
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(3):
        if rows:
            rows.append(("gap", "", "", "⋯"))
        for kind, a, b, c, d in group:
            if kind == "equal":
                rows += [("same", str(a + n + 1), str(c + n + 1), old[a + n]) for n in range(b - a)]
                continue
            rows += [("minus", str(n + 1), "", old[n]) for n in range(a, b)]
            rows += [("plus", "", str(n + 1), new[n]) for n in range(c, d)]
    return rows
