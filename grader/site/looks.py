"""How a page is shown and for whom: the language and theme chosen, else what the browser asks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.requests import Request

from grader.site.pages import Look
from grader.site.visitors import visitor_of

if TYPE_CHECKING:
    from grader.site.app import Desk

LANGUAGES = ("en", "zh", "vi")
THEMES = ("light", "dark")


def look_of(request: Request) -> Look:
    """Return how to answer a request with a page; it may wait for the database."""
    desk: Desk = request.app.state.desk
    look = bare_look_of(request)
    if look.visitor.id is None:
        return look
    return replace(look, notices=desk.store.notices.count(look.visitor.id))


def bare_look_of(request: Request) -> Look:
    """Return how to answer a request with part of a page; no wait where the visitor is known."""
    desk: Desk = request.app.state.desk
    public, visitor = desk.settings.public, visitor_of(request)
    asked = request.query_params.get("lang") or request.cookies.get("lang")
    language = asked if asked in LANGUAGES else _preferred(request.headers.get("accept-language"))
    theme = request.cookies.get("theme")
    return Look(
        language,
        theme if theme in THEMES else None,
        _address(request),
        visitor,
        public=public is not None,
        may_register=public is not None and public.registration == "open",
    )


def _address(request: Request) -> str:
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{request.url.path}{query}"


def _preferred(header: str | None) -> str:
    """The first of our languages by the weights a browser gives them."""
    weighted = []
    for part in (header or "").split(","):
        tag, _, weight = part.partition(";q=")
        try:
            weighted.append((-float(weight or 1), tag.strip().partition("-")[0].lower()))
        except ValueError:
            continue
    return next((tag for _, tag in sorted(weighted) if tag in LANGUAGES), "en")
