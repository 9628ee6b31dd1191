"""The list, a problem, and what a learner does there."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from grader.limits import MAX_SOURCE_BYTES
from grader.site import pages
from grader.site.asked import BadInput, own_spec, read_input
from grader.site.glances import glance_of
from grader.site.listing import Wanted, chosen, random_unsolved, status_of
from grader.site.looks import look_of
from grader.site.routes.common import (
    add_submission,
    desk_of,
    go,
    learner_of,
    limited,
    now,
    page,
    problem_of,
    reader_of,
    submission_of,
)
from grader.site.shelf import text_of
from grader.site.zones import zone_of
from grader.spec import Problem
from grader.static_check import Violation

router = APIRouter()
Source = Annotated[str, Form()]
_PLACE = re.compile(r"line (\d+)(?:, column (\d+))?: (.*)", re.DOTALL)


@router.get("/")
def problem_list(
    request: Request,
    q: str = "",
    difficulty: str = "",
    category: str = "",
    tag: str = "",
    status: str = "",
    language: str = "",
    sort: str = "difficulty",
) -> Response:
    """The list with its filters."""
    desk, look = desk_of(request), look_of(request)
    wanted = Wanted(q, difficulty, category, tag, status, language, sort)
    reader = reader_of(request)
    progress = desk.store.progress(reader)
    rows = [
        pages.ListRow(
            slug=problem.slug,
            title=text_of(problem, "title", look.language),
            difficulty=problem.difficulty,
            category=problem.category,
            tags=problem.tags,
            featured=problem.is_featured,
            status=status_of(problem.slug, progress),
            languages=tuple(sorted({problem.language, *problem.translations})),
        )
        for problem in chosen(desk.shelf, progress, wanted, look.language)
    ]
    filters = pages.Filters(
        **asdict(wanted),
        categories=tuple(sorted({each.category for each in desk.shelf})),
        tags=tuple(sorted({tag for each in desk.shelf for tag in each.tags})),
    )
    glance = glance_of(
        desk.store, reader, desk.shelf, now().astimezone(zone_of(request)), look.language
    )
    return page(request, pages.list_page(look, rows, filters, glance))


@router.get("/random")
def some_problem(request: Request) -> Response:
    """A problem that is not solved."""
    desk = desk_of(request)
    slug = random_unsolved(desk.shelf, desk.store.progress(reader_of(request)))
    return go(f"/problems/{slug}" if slug else "/")


@router.get("/problems/{slug}")
def problem(request: Request, slug: str) -> Response:
    """Statement and editor; `?from=` takes the code of an earlier submission."""
    desk = desk_of(request)
    found = problem_of(desk, slug)
    earlier = request.query_params.get("from")
    code = submission_of(request, earlier).source if earlier else None
    return page(request, _problem_page(request, found, code))


def _problem_page(request: Request, found: Problem, code: str | None, complaint: str = "") -> str:
    desk = desk_of(request)
    store, learner, slug = desk.store, reader_of(request), found.slug
    given_up = store.given_up(learner, slug)
    if code is None:
        code = store.draft(learner, slug) or found.starter_code
    return pages.problem_page(
        look_of(request),
        found,
        code,
        store.hints_shown(learner, slug),
        store.submissions(learner, slug, limit=10, reports=False),
        store.note(learner, slug) or "",
        may_read_editorial=given_up or _is_solved(request, slug),
        given_up=given_up,
        complaint=complaint,
    )


def _is_solved(request: Request, slug: str) -> bool:
    desk = desk_of(request)
    return status_of(slug, desk.store.progress(reader_of(request))) == "solved"


@router.post("/problems/{slug}/submit")
def submit(request: Request, slug: str, source: Source) -> Response:
    """Have all cases judged."""
    return _add(request, slug, source, "submit", "")


@router.post("/problems/{slug}/run")
def run(request: Request, slug: str, source: Source, own: Annotated[str, Form()] = "") -> Response:
    """Have the shown cases judged, or an input of the learner's own."""
    return _add(request, slug, source, "run", own)


def _add(
    request: Request, slug: str, source: str, kind: Literal["submit", "run"], own: str
) -> Response:
    desk, learner = desk_of(request), learner_of(request)
    found = problem_of(desk, slug)
    source = source.replace("\r\n", "\n")
    custom = None
    try:
        if own.strip():
            custom = read_input(found, own)
            own_spec(found, custom)
        added = add_submission(request, found, source, kind, custom, is_draft=True)
    except (BadInput, HTTPException) as error:
        desk.store.save_draft(learner, slug, source[:MAX_SOURCE_BYTES], now())
        if isinstance(error, BadInput):
            return page(request, _problem_page(request, found, source, str(error)), 422)
        answer = page(request, _problem_page(request, found, source, error.detail), 429)
        answer.headers.update(error.headers or {})
        return answer
    return go(f"/submissions/{added.id}")


@router.post("/problems/{slug}/check")
async def check(request: Request, slug: str, source: Source) -> Response:
    """What the static check would say, for the editor to underline."""
    violations, message = await run_in_threadpool(_checked, request, slug, source)
    found = [asdict(violation) for violation in violations]
    if message:
        place = _PLACE.match(message)
        line, column, text = place.groups() if place else ("1", None, message)
        found.append(
            {"rule": "syntax", "line": int(line), "column": int(column or 1), "message": text}
        )
    return JSONResponse(found)


def _checked(request: Request, slug: str, source: str) -> tuple[tuple[Violation, ...], str]:
    desk = desk_of(request)
    learner_of(request)
    limited(request, "check")
    return desk.checker.check(problem_of(desk, slug), source)


@router.post("/problems/{slug}/draft")
def draft(request: Request, slug: str, source: Source) -> Response:
    """Keep what is in the editor."""
    desk = desk_of(request)
    desk.store.save_draft(
        learner_of(request), problem_of(desk, slug).slug, source[:MAX_SOURCE_BYTES], now()
    )
    return Response(status_code=204)


@router.post("/problems/{slug}/reset")
def reset(request: Request, slug: str) -> Response:
    """Back to the starter."""
    desk = desk_of(request)
    found = problem_of(desk, slug)
    desk.store.save_draft(learner_of(request), slug, found.starter_code, now())
    return go(f"/problems/{slug}")


@router.post("/problems/{slug}/note")
def note(request: Request, slug: str, note: Annotated[str, Form()] = "") -> Response:
    """Keep a note."""
    desk = desk_of(request)
    desk.store.save_note(learner_of(request), problem_of(desk, slug).slug, note[:20_000], now())
    return go(f"/problems/{slug}#notes")


@router.post("/problems/{slug}/hint")
def hint(request: Request, slug: str) -> Response:
    """Show one more hint."""
    desk = desk_of(request)
    found = problem_of(desk, slug)
    if desk.store.hints_shown(learner_of(request), slug) < len(found.hints):
        desk.store.show_hint(learner_of(request), slug)
    return go(f"/problems/{slug}#hints")


@router.get("/problems/{slug}/give-up")
def ask_to_give_up(request: Request, slug: str) -> Response:
    """Ask once more."""
    return page(request, pages.give_up_page(look_of(request), problem_of(desk_of(request), slug)))


@router.post("/problems/{slug}/give-up")
def give_up(request: Request, slug: str) -> Response:
    """Open the editorial; it is remembered."""
    desk = desk_of(request)
    desk.store.give_up(learner_of(request), problem_of(desk, slug).slug, now())
    return go(f"/problems/{slug}/editorial")


@router.get("/problems/{slug}/editorial")
def editorial(request: Request, slug: str) -> Response:
    """Solution and reference, once solved or given up."""
    desk = desk_of(request)
    found = problem_of(desk, slug)
    if not (_is_solved(request, slug) or desk.store.given_up(learner_of(request), slug)):
        raise HTTPException(403, "The editorial opens once the problem is solved or given up.")
    return page(request, pages.editorial_page(look_of(request), found))


@router.get("/problems/{slug}/history")
def problem_history(request: Request, slug: str, before: str | None = None) -> Response:
    """All attempts at a problem."""
    desk = desk_of(request)
    problem_of(desk, slug)
    from grader.site.routes.submissions import history_of

    return history_of(request, slug, before)
