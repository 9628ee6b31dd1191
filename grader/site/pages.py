"""Every page of the site as a pure function of plain values: no request, no store, no clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup

from grader.site import pictures
from grader.site.markup import code_lines
from grader.site.rendering import page
from grader.site.result_view import changes, result_values, state_of, texts_of
from grader.site.values import Attempt, Filters, Glance, ListRow, Look, href
from grader.site.wording import word
from grader.spec import Problem

__all__ = [
    "Filters",
    "Glance",
    "ListRow",
    "Look",
    "case_row",
    "diff_page",
    "editorial_page",
    "error_page",
    "give_up_page",
    "history_page",
    "list_page",
    "problem_page",
    "progress_page",
    "result_page",
    "result_part",
    "verdict_line",
]

SORTS: Final = ("difficulty", "title", "status", "featured")
STATUSES: Final = ("untouched", "tried", "solved")
DIFFICULTIES: Final = ("Easy", "Medium", "Hard")
PAGE_LENGTH: Final = 50  # attempts on a page of the history; fewer are the last page
_MOST_ATTEMPTS: Final = 5  # beside a statement


def list_page(look: Look, rows: Sequence[ListRow], filters: Filters, glance: Glance) -> str:
    """The list of problems with its filters, under progress at a glance."""
    titles = {row.slug: row.title for row in rows} | dict(glance.titles)
    categories = filters.categories or tuple(sorted({row.category for row in rows}))
    tags = filters.tags or tuple(sorted({tag for row in rows for tag in row.tags}))
    chosen = (
        *(filters.query, _difficulty(look, filters.difficulty), filters.category, filters.tag),
        word(filters.status, look.language) if filters.status in STATUSES else filters.status,
        filters.language,
    )
    return page(
        "list.html",
        look,
        rows=rows,
        filters=filters,
        chosen=[name for name in chosen if name],
        glance=glance,
        titles=titles,
        categories=_with(categories, filters.category),
        tags=_with(tags, filters.tag),
        sorts=SORTS,
        statuses=STATUSES,
        difficulties=DIFFICULTIES,
        weeks=_weeks(look, glance.days, glance.today, 18),
    )


def _difficulty(look: Look, difficulty: str) -> str:
    return word(f"d.{difficulty}", look.language) if difficulty in DIFFICULTIES else difficulty


def _with(known: tuple[str, ...], asked: str) -> tuple[str, ...]:
    """Offer what was asked for even where nothing has it, so that the form says what it did."""
    return known if not asked or asked in known else (*known, asked)


def _weeks(look: Look, days: Mapping[date, int], today: date | None, count: int) -> Markup:
    last = today or max(days, default=date.today())
    about = word(
        "activity",
        look.language,
        weeks=count,
        n=sum(days.values()),
        days=sum(made > 0 for made in days.values()),
    )
    return pictures.weeks(days, last, count, about)


def problem_page(
    look: Look,
    problem: Problem,
    code: str,
    hints_shown: int,
    attempts: Sequence[Attempt],
    note: str,
    may_read_editorial: bool,
    given_up: bool,
    result_html: str = "",
    complaint: str = "",
) -> str:
    """The statement beside the editor.

    Args:
        code: what the editor begins with.
        attempts: the learner's own, newest first.
        result_html: made by `result_part`.
        complaint: why an input of the learner's own is refused.
    """
    shown = [case for case in problem.cases if not case.hidden and case.drawn is None]
    first = next((case for case in shown if case.raw_inputs), None)
    example = "\n".join(f"{k} = {v}" for k, v in first.raw_inputs.items()) if first else ""
    return page(
        "problem.html",
        replace(look, path=href("problems", problem.slug)),
        problem=problem,
        text=texts_of(look, problem),
        code=code,
        hints_shown=hints_shown,
        rows=[(one, state_of(one)) for one in attempts[:_MOST_ATTEMPTS]],
        attempt_count=len(attempts),
        note=note,
        may_read_editorial=may_read_editorial,
        given_up=given_up,
        solved=any(one.verdict == "accepted" for one in attempts),
        result=Markup(result_html),
        shown=shown,
        example=example,
        complaint=complaint,
    )


def result_page(
    look: Look,
    problem: Problem,
    submission: Attempt,
    waiting_before: int,
    times: Sequence[float] = (),
    next_slug: str | None = None,
) -> str:
    """One submission: waiting, under way or judged.

    Args:
        times: CPU times of accepted submissions, in ms, this one's among them or not.
        next_slug: of the problem to offer once this one is solved.
    """
    return page(
        "result.html",
        look,
        **result_values(look, problem, submission, waiting_before, times, next_slug),
    )


def result_part(
    look: Look,
    problem: Problem,
    submission: Attempt,
    waiting_before: int,
    times: Sequence[float] = (),
    next_slug: str | None = None,
) -> str:
    """The part of `result_page` that changes, for `result_html` of `problem_page`."""
    given = result_values(look, problem, submission, waiting_before, times, next_slug)
    return page("result_part.html", look, **given)


def case_row(look: Look, case: dict[str, Any]) -> str:
    """One case of a report as a row of the table, to be sent as it is judged."""
    given = {"number": case["case_id"], "case": case, "name": str(case["case_name"])}
    return page("case_row.html", look, **given).strip()


def verdict_line(look: Look, submission: Attempt) -> str:
    """A submission as icon, word and count of passed cases."""
    return page(
        "verdict_line.html", look, submission=submission, state=state_of(submission)
    ).strip()


def history_page(
    look: Look,
    slug: str | None,
    attempts: Sequence[Attempt],
    before: str | None,
    titles: Mapping[str, str] | None = None,
) -> str:
    """Attempts, newest first, of one problem or of all.

    Args:
        before: id of the attempt before this page, in the address; None on the first page.
    """
    path = href("history") if slug is None else href("problems", slug, "history")
    older = None
    if len(attempts) >= PAGE_LENGTH:
        older = f"{path}?{urlencode({'before': attempts[-1].id})}"
    return page(
        "history.html",
        look,
        slug=slug,
        titles=titles or {},
        path=path,
        before=before,
        older=older,
        rows=[(one, state_of(one)) for one in attempts],
    )


def diff_page(look: Look, problem: Problem, older: Attempt | None, newer: Attempt) -> str:
    """What changed between two attempts; since the starter code if there is no older one."""
    before = older.source if older is not None else problem.starter_code
    return page(
        "diff.html",
        look,
        problem=problem,
        text=texts_of(look, problem),
        older=older,
        newer=newer,
        rows=changes(before, newer.source),
    )


def editorial_page(look: Look, problem: Problem) -> str:
    """The editorial and the reference."""
    text = texts_of(look, problem)
    lines = code_lines(problem.reference_code)
    return page("editorial.html", look, problem=problem, text=text, lines=lines)


def give_up_page(look: Look, problem: Problem) -> str:
    """Asks again before the editorial opens."""
    return page("give_up.html", look, problem=problem, text=texts_of(look, problem))


def error_page(look: Look, status: int, message: str) -> str:
    """What went wrong, and the way back."""
    known = status if status in (400, 403, 404, 413) else 500 if status >= 500 else 400
    title = word(f"e.{known}", look.language)
    return page("error.html", look, status=status, title=title, message=message)


def progress_page(
    look: Look, rows: Sequence[ListRow], glance: Glance, days: Mapping[date, int] | None = None
) -> str:
    """What a learner has done: figures, the year, categories, difficulties.

    Args:
        days: submissions a day over the year; those of the glance if None.
    """
    days = glance.days if days is None else days
    months: dict[str, list[int]] = {}
    for day, made in sorted(days.items()):
        if made:
            counts = months.setdefault(f"{day:%Y-%m}", [0, 0])
            counts[0], counts[1] = counts[0] + made, counts[1] + 1
    return page(
        "progress.html",
        look,
        glance=glance,
        year=_weeks(look, days, glance.today, 53),
        months=[(month, *counts) for month, counts in reversed(months.items())],
        submissions=sum(days.values()),
        active=sum(made > 0 for made in days.values()),
        categories=_tally(rows, sorted({row.category for row in rows}), "category"),
        difficulties=_tally(rows, DIFFICULTIES, "difficulty"),
        steps=range(5),
    )


def _tally(
    rows: Sequence[ListRow], names: Sequence[str], field: str
) -> list[tuple[str, int, int, int]]:
    """Name, solved, tried and all of the rows of each name."""
    made = []
    for name in names:
        states = [row.status for row in rows if getattr(row, field) == name]
        if states:
            made.append((name, states.count("solved"), states.count("tried"), len(states)))
    return made
