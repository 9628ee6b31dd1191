"""What belongs to the learner: progress, theme, everything as one file."""

from __future__ import annotations

import io
import zipfile
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from grader.site import account_pages, pages
from grader.site.glances import glance_of, year_of
from grader.site.listing import status_of
from grader.site.looks import THEMES, look_of
from grader.site.routes.common import YEAR_S, desk_of, go, learner_of, now, own_path, page
from grader.site.shelf import text_of
from grader.site.zones import zone_of

router = APIRouter()


@router.get("/progress")
def progress(request: Request) -> Response:
    """What was solved, and when."""
    desk, look = desk_of(request), look_of(request)
    known = desk.store.progress(learner_of(request))
    rows = [
        pages.ListRow(
            slug=problem.slug,
            title=text_of(problem, "title", look.language),
            difficulty=problem.difficulty,
            category=problem.category,
            tags=problem.tags,
            featured=problem.is_featured,
            status=status_of(problem.slug, known),
            languages=(),
        )
        for problem in desk.shelf
    ]
    moment = now().astimezone(zone_of(request))
    glance = glance_of(desk.store, learner_of(request), desk.shelf, moment, look.language)
    year = year_of(desk.store, learner_of(request), moment)
    return page(request, pages.progress_page(look, rows, glance, year))


@router.post("/theme")
def theme(request: Request, theme: Annotated[str, Form()] = "") -> Response:
    """Choose light, dark, or what the system has; go back to where one was."""
    came_from = urlsplit(request.headers.get("referer", "")).path or "/"
    answer = go(own_path(came_from))
    if theme in THEMES:
        answer.set_cookie("theme", theme, max_age=YEAR_S, samesite="lax")
    else:
        answer.delete_cookie("theme")
    return answer


@router.get("/export")
def export(request: Request) -> Response:
    """All code, results and notes as a zip."""
    desk = desk_of(request)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in desk.store.export(learner_of(request)):
            archive.writestr(name, data)
    headers = {"content-disposition": 'attachment; filename="tensorjudge.zip"'}
    return Response(buffer.getvalue(), media_type="application/zip", headers=headers)


@router.get("/notices")
def notices(request: Request) -> Response:
    """Verdicts that changed because a problem did."""
    desk, look = desk_of(request), look_of(request)
    waiting = desk.store.notices.unseen(learner_of(request))
    if not waiting:
        return go("/")
    titles = desk.shelf.titles(look.language)
    return page(request, account_pages.notices_page(look, waiting, titles))


@router.post("/notices")
def dismiss(request: Request) -> Response:
    """Have them no more."""
    desk_of(request).store.notices.dismiss(learner_of(request))
    return go("/")
