"""For those who run the site: is it well, and how much is there to do."""

from __future__ import annotations

import hmac

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import JSONResponse, Response

from grader.site.guard import is_loopback
from grader.site.metrics import CONTENT_TYPE
from grader.site.routes.common import desk_of
from grader.site.visitors import bearer_of

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def health(request: Request) -> Response:
    """200 if everything works, else 503 with what does not."""
    desk = desk_of(request)
    parts = {"database": "ok", "dispatcher": "ok", "judge": "ok", "problems": "ok"}
    try:
        if not desk.store.is_current():
            parts["database"] = "not up to date: grader site migrate"
    except Exception as error:  # whatever it is, the site is not well
        parts["database"] = type(error).__name__
    if not desk.dispatcher.is_alive:
        parts["dispatcher"] = "ended"
    if desk.pool.slots < 1:
        parts["judge"] = "no node"
    if not any(True for _ in desk.shelf):
        parts["problems"] = "none"
    well = all(state == "ok" for state in parts.values())
    return JSONResponse({"ok": well, **parts}, 200 if well else 503)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Figures for Prometheus: for this machine, or with the token of the settings."""
    desk = desk_of(request)
    token, given = desk.settings.metrics_token, bearer_of(request)
    known = bool(token and given) and hmac.compare_digest(
        str(token).encode(), str(given).encode("utf-8", "surrogateescape")
    )
    if not (known or is_loopback(request.scope)):
        raise HTTPException(404, "Not Found")
    return Response(desk.metrics.text(), media_type=CONTENT_TYPE)
