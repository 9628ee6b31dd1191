"""The files that pages load."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from starlette.responses import Response

from grader.site.statics import static_file

router = APIRouter()


@router.get("/static/{name}")
def static(name: str) -> Response:
    """A file, to be kept for good: its address changes when it does."""
    found = static_file(name)
    if found is None:
        raise HTTPException(404, "There is no such file.")
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(found.body, media_type=found.media_type, headers=headers)
