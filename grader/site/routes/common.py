"""What every route needs: the desk, the problem or submission of an address, pages as answers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastapi import HTTPException, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.site.looks import LANGUAGES
from grader.site.store import Submission
from grader.spec import Problem

if TYPE_CHECKING:
    from grader.site.app import Desk

YEAR_S = 365 * 24 * 3600  # how long a choice is remembered


def desk_of(request: Request) -> Desk:
    """What the site works with."""
    desk: Desk = request.app.state.desk
    return desk


def problem_of(desk: Desk, slug: str) -> Problem:
    """The problem of an address, or 404."""
    problem = desk.shelf.find(slug)
    if problem is None:
        raise HTTPException(404, f"There is no problem {slug!r}.")
    return problem


def submission_of(desk: Desk, number: str) -> Submission:
    """The submission of an address, or 404 if it is not the learner's."""
    found = desk.store.submission(number)
    if found is None or found.learner != desk.learner:
        raise HTTPException(404, "There is no such submission.")
    return found


def page(request: Request, text: str, status: int = 200) -> Response:
    """A page; a language chosen in the address is remembered."""
    answer = HTMLResponse(text, status, headers={"cache-control": "no-store"})
    language = request.query_params.get("lang")
    if language in LANGUAGES:
        answer.set_cookie("lang", language, max_age=YEAR_S, httponly=True, samesite="lax")
    return answer


def go(path: str) -> Response:
    """Send the browser on with a GET, so that a reload sends nothing twice."""
    return RedirectResponse(path, 303)


def now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)
