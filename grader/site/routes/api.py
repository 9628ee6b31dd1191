"""The API, for programs: `/api/v1`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, Response, StreamingResponse

from grader import __version__
from grader.site import api_shapes as shapes
from grader.site.asked import BadInput, own_spec, read_input
from grader.site.events import CaseJudged, Event, Finished
from grader.site.listing import Wanted, chosen, status_of
from grader.site.looks import LANGUAGES, look_of
from grader.site.routes.common import (
    add_submission,
    desk_of,
    learner_of,
    limited,
    problem_of,
    reader_of,
    submission_of,
    watched,
)
from grader.site.shelf import text_of
from grader.site.store import Submission
from grader.site.values import href
from grader.site.visitors import visitor_of
from grader.spec import Problem

BASE = "/api/v1"
_MOST = 100  # submissions on a page


def _counted(request: Request) -> None:
    limited(request, "api")


router = APIRouter(
    prefix=BASE,
    dependencies=[Depends(_counted)],
    responses={code: {"model": shapes.Fault} for code in (401, 404, 422, 429)},
)
Language = Annotated[str, Query(description="en, zh or vi; else what the request prefers.")]


def _language(request: Request, asked: str) -> str:
    return asked if asked in LANGUAGES else look_of(request).language


@router.get("/openapi.json", include_in_schema=False)
def description() -> Response:
    """The API, described for programs."""
    return JSONResponse(_openapi())


@cache
def _openapi() -> dict[str, Any]:
    return get_openapi(
        title="TensorJudge",
        version=__version__,
        summary="Problems, submissions and results of a practice site",
        routes=router.routes,
    )


@router.get("/problems", summary="Problems")
def problems(
    request: Request,
    q: str = "",
    difficulty: str = "",
    category: str = "",
    tag: str = "",
    status: str = "",
    language: Language = "",
) -> list[shapes.Summary]:
    """Problems, those that fit the filters."""
    desk, speech = desk_of(request), _language(request, language)
    progress = desk.store.progress(reader_of(request))
    wanted = Wanted(q, difficulty, category, tag, status)
    return [
        shapes.Summary(**_summary(each, speech, status_of(each.slug, progress)))
        for each in chosen(desk.shelf, progress, wanted, speech)
    ]


def _summary(problem: Problem, language: str, status: str) -> dict[str, Any]:
    return {
        "slug": problem.slug,
        "title": text_of(problem, "title", language),
        "difficulty": problem.difficulty,
        "category": problem.category,
        "tags": list(problem.tags),
        "languages": sorted({problem.language, *problem.translations}),
        "status": status,
    }


@router.get("/problems/{slug}", summary="A problem")
def problem(request: Request, slug: str, language: Language = "") -> shapes.ProblemText:
    """A problem as its page shows it."""
    desk, reader = desk_of(request), reader_of(request)
    found, speech = problem_of(desk, slug), _language(request, language)
    own = found.translations.get(speech, {})
    hints = own.get("hints") or found.hints
    shown = [case for case in found.cases if not case.hidden and case.drawn is None]
    return shapes.ProblemText(
        **_summary(found, speech, status_of(slug, desk.store.progress(reader))),
        language=speech if own else found.language,
        statement=text_of(found, "description_md", speech),
        entry_point=found.entry_point,
        starter_code=found.starter_code,
        cases=len(found.cases),
        shown_cases=[
            shapes.ShownCase(name=case.name, inputs=dict(case.raw_inputs)) for case in shown
        ],
        time_limit_s=found.time_limit_s,
        memory_limit_mb=found.memory_limit_mb,
        atol=found.atol,
        rtol=found.rtol,
        forbidden_modules=list(found.forbidden_modules),
        forbidden_calls=list(found.forbidden_calls),
        forbidden_apis=list(found.forbidden_apis),
        hints=[str(hint) for hint in hints[: desk.store.hints_shown(reader, slug)]],
    )


@router.post("/problems/{slug}/submissions", status_code=202, summary="Submit")
def submit(request: Request, slug: str, sent: shapes.Sent, answer: Response) -> shapes.Accepted:
    """Have a source judged: all cases, or for a run the shown ones or an input of one's own."""
    found = problem_of(desk_of(request), slug)
    learner_of(request)
    custom = None
    if sent.input is not None:
        if sent.kind != "run":
            raise HTTPException(422, "An input of one's own goes with the kind 'run'.")
        custom = _custom(found, sent.input)
    added = add_submission(request, found, sent.source, sent.kind, custom)
    url = f"{BASE}{href('submissions', added.id)}"
    answer.headers["location"] = url
    return shapes.Accepted(
        id=added.id,
        state=added.state,
        url=url,
        events=f"{url}/events",
        page=href("submissions", added.id),
    )


def _custom(problem: Problem, given: dict[str, str]) -> str:
    try:
        custom = read_input(problem, "\n".join(f"{name} = {text}" for name, text in given.items()))
        own_spec(problem, custom)
    except BadInput as error:
        raise HTTPException(422, str(error)) from None
    return custom


@router.get("/submissions", summary="History")
def history(
    request: Request,
    slug: str | None = None,
    before: Annotated[str | None, Query(description="Id of the last one seen.")] = None,
    limit: Annotated[int, Query(ge=1, le=_MOST)] = 50,
) -> shapes.Page:
    """One's own submissions, the newest first."""
    desk = desk_of(request)
    found = desk.store.submissions(
        learner_of(request), slug, limit=limit, before=before, reports=False
    )
    more = None
    if len(found) == limit:
        query = {"before": found[-1].id, "limit": str(limit)} | ({"slug": slug} if slug else {})
        more = f"{BASE}{href('submissions', **query)}"
    return shapes.Page(submissions=[shapes.Brief(**_brief(each)) for each in found], next=more)


def _brief(submission: Submission) -> dict[str, Any]:
    return {name: getattr(submission, name) for name in shapes.Brief.model_fields}


@router.get("/submissions/{number}", summary="A result", response_model=shapes.Whole)
def result(request: Request, number: str) -> Response:
    """A submission of one's own, with its report once there is one."""
    found = submission_of(request, number)
    waiting = 0 if found.state == "done" else desk_of(request).store.waiting_before(number)
    whole = shapes.Whole.model_construct(
        **_brief(found), waiting_before=waiting, report=None
    ).model_dump(mode="json")
    # What a submission printed may hold what no JSON text may but as an escape.
    text = json.dumps(whole | {"report": found.report})
    return Response(text, media_type="application/json")


@router.get("/submissions/{number}/events", summary="Events")
async def events(request: Request, number: str) -> Response:
    """Server-sent events: `case` with each case as it is judged, then `done`."""
    return StreamingResponse(
        _stream(number, await watched(request, number)),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _stream(number: str, happening: AsyncIterator[Event | None]) -> AsyncIterator[str]:
    async for event in happening:
        match event:
            case None:
                yield ": waiting\n\n"
            case CaseJudged(case=case):
                yield f"event: case\ndata: {json.dumps(case)}\n\n"
            case Finished():
                yield f"event: done\ndata: {BASE}{href('submissions', number)}\n\n"


@router.get("/me", summary="Who asks")
def me(request: Request) -> shapes.Me:
    """The account of a token."""
    learner, visitor = learner_of(request), visitor_of(request)
    progress = desk_of(request).store.progress(learner)
    solved = sum(each.solved for each in progress.values())
    return shapes.Me(
        login=visitor.login,
        name=visitor.name,
        role=visitor.role,
        solved=solved,
        tried=len(progress) - solved,
    )
