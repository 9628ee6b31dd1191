"""A submission: its result, the events until it is there, and what came before it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from grader.site import pages
from grader.site.events import CaseJudged, Event, Finished
from grader.site.listing import next_problem
from grader.site.looks import bare_look_of, look_of
from grader.site.pages import PAGE_LENGTH
from grader.site.routes.common import desk_of, learner_of, page, problem_of, submission_of, watched
from grader.site.store import Submission

router = APIRouter()
_PACE_S = 0.05  # no eye sees more than twenty rows a second arrive


@router.get("/submissions/{number}")
def result(request: Request, number: str) -> Response:
    """The result, or how far it is."""
    desk = desk_of(request)
    found = submission_of(request, number)
    waiting = 0 if found.state == "done" else desk.store.waiting_before(number)
    times = desk.store.accepted_times(found.slug) if found.verdict == "accepted" else []
    return page(
        request,
        pages.result_page(
            look_of(request),
            problem_of(desk, found.slug),
            found,
            waiting,
            times=times,
            next_slug=_next(request, found),
        ),
    )


def _next(request: Request, found: Submission) -> str | None:
    """What to offer once a problem is solved."""
    if found.verdict != "accepted":
        return None
    desk = desk_of(request)
    return next_problem(list(desk.shelf), desk.store.progress(learner_of(request)), found.slug)


@router.get("/submissions/{number}/events")
async def events(request: Request, number: str) -> Response:
    """Cases as they are judged, then the address of the result."""
    return StreamingResponse(
        _stream(request, number, await watched(request, number, _PACE_S)),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _stream(
    request: Request, number: str, happening: AsyncIterator[Event | None]
) -> AsyncIterator[str]:
    look = bare_look_of(request)
    async for event in happening:
        match event:
            case None:
                yield ": waiting\n\n"
            case CaseJudged(case=case):
                row = pages.case_row(look, case)
                yield _event("case", json.dumps({"number": case["case_id"], "html": row}))
            case Finished():
                yield _event("done", f"/submissions/{number}")


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


@router.get("/submissions/{number}/diff")
def diff(request: Request, number: str) -> Response:
    """What changed since the attempt before, or since the starter."""
    desk = desk_of(request)
    newer = submission_of(request, number)
    older = _before(request, newer)
    found = problem_of(desk, newer.slug)
    return page(request, pages.diff_page(look_of(request), found, older, newer))


def _before(request: Request, newer: Submission) -> Submission | None:
    desk = desk_of(request)
    found = desk.store.submissions(learner_of(request), newer.slug, limit=1, before=newer.id)
    return found[0] if found else None


@router.get("/history")
def history(request: Request, before: str | None = None) -> Response:
    """All attempts, the latest first."""
    return history_of(request, None, before)


def history_of(request: Request, slug: str | None, before: str | None) -> Response:
    """Attempts at one problem or at all, older than one of them."""
    desk = desk_of(request)
    attempts = desk.store.submissions(
        learner_of(request), slug, limit=PAGE_LENGTH, before=before, reports=False
    )
    look = look_of(request)
    titles = desk.shelf.titles(look.language)
    return page(request, pages.history_page(look, slug, attempts, before, titles))
