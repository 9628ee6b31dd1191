"""What every route needs: the desk, who asks, the problem or submission of an address, answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from fastapi import HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.limits import MAX_SOURCE_BYTES
from grader.site.events import Event, Finished
from grader.site.logs import log
from grader.site.looks import LANGUAGES
from grader.site.store import QueueFull, Submission
from grader.site.store.models import Kind
from grader.site.visitors import visitor_of
from grader.spec import Problem

if TYPE_CHECKING:
    from grader.site.app import Desk

YEAR_S = 365 * 24 * 3600  # how long a choice is remembered
_NOBODYS = 0  # no learner has that number, so nobody has a history, a draft or a note


def desk_of(request: Request) -> Desk:
    """What the site works with."""
    desk: Desk = request.app.state.desk
    return desk


def learner_of(request: Request) -> int:
    """The number of who asks, or 401 if that is nobody."""
    learner = visitor_of(request).id
    if learner is None:
        raise HTTPException(401, "Sign in first.")
    return learner


def reader_of(request: Request) -> int:
    """The number of the learner whose things a page shows; it has none for nobody."""
    return visitor_of(request).id or _NOBODYS


def require(request: Request, role: str) -> int:
    """The number of who asks, or 403 if they have no such role."""
    learner = learner_of(request)
    if not visitor_of(request).may(role):
        raise HTTPException(403, f"That is for those with the role {role!r}.")
    return learner


def require_public(request: Request) -> None:
    """404 on a site without accounts."""
    if desk_of(request).settings.public is None:
        raise HTTPException(404, "This site has no accounts.")


def limited(request: Request, act: str, account: str | None = None) -> None:
    """Count an act, or 429 if it is one too many. A site of one learner has no such bounds.

    Args:
        account: for whom it counts; who asks if None.
    """
    desk = desk_of(request)
    if desk.settings.public is None:
        return
    who = visitor_of(request).login if account is None else account
    address = request.client.host if request.client else ""
    if wait_s := desk.rates.wait_s(act, who, address):
        raise HTTPException(
            429, f"That was too often; try again in {wait_s} s.", {"retry-after": str(wait_s)}
        )


def problem_of(desk: Desk, slug: str) -> Problem:
    """The problem of an address, or 404."""
    problem = desk.shelf.find(slug)
    if problem is None:
        raise HTTPException(404, f"There is no problem {slug!r}.")
    return problem


def submission_of(request: Request, number: str) -> Submission:
    """The submission of an address, or 404 if it is not the learner's."""
    found = desk_of(request).store.submission(number)
    if found is None or found.learner != learner_of(request):
        raise HTTPException(404, "There is no such submission.")
    return found


async def watched(
    request: Request, number: str, pace_s: float = 0.0
) -> AsyncIterator[Event | None]:
    """What happens to the submission of an address until it is finished, or 404 at once.

    Args:
        pace_s: as of `Hub.watch`.
    """
    stream = desk_of(request).hub.watch(number, pace_s)
    await anext(stream)
    try:
        found = await run_in_threadpool(submission_of, request, number)
    except HTTPException:
        await stream.aclose()
        raise
    return _until_finished(request, found, stream)


async def _until_finished(
    request: Request, found: Submission, stream: AsyncGenerator[Event | None]
) -> AsyncIterator[Event | None]:
    async with aclosing(stream):
        if found.state == "done":
            yield Finished()
            return
        async for event in stream:
            if event is None:  # another process may judge it
                found = await run_in_threadpool(submission_of, request, found.id)
                if found.state == "done":
                    yield Finished()
                    return
            yield event


def add_submission(
    request: Request,
    problem: Problem,
    source: str,
    kind: Kind,
    custom_input: str | None,
    *,
    is_draft: bool = False,
) -> Submission:
    """Put a submission into the queue, or 429 if the learner sends too many.

    Args:
        custom_input: as `asked.read_input` gives it.
        is_draft: the source is the draft as well from now on.
    """
    desk, learner = desk_of(request), learner_of(request)
    limited(request, "submit")
    public = desk.settings.public
    given = (learner, problem.slug, source[: MAX_SOURCE_BYTES + 1], kind, now(), custom_input)
    most = public.most_waiting if public else None

    def add(lease: timedelta | None) -> Submission:
        added = desk.store.add_submission(*given, is_draft=is_draft, most_waiting=most, lease=lease)
        log.info("sent", submission=added.id, slug=added.slug, kind=kind, learner=learner)
        return added

    try:
        return desk.dispatcher.send(add)
    except QueueFull as error:
        raise HTTPException(429, str(error), {"retry-after": "5"}) from None


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


def own_path(path: str) -> str:
    """Return a path of this site, or "/" for what would lead elsewhere."""
    is_own = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    return path if is_own else "/"


def now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)
