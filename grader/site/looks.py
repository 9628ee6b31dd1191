"""In which language and theme a page is shown: what was chosen, else what the browser asks for."""

from __future__ import annotations

from starlette.requests import Request

from grader.site.pages import Look

LANGUAGES = ("en", "zh", "vi")
THEMES = ("light", "dark")


def look_of(request: Request) -> Look:
    """Return language and theme of a request."""
    asked = request.query_params.get("lang") or request.cookies.get("lang")
    language = asked if asked in LANGUAGES else _preferred(request.headers.get("accept-language"))
    theme = request.cookies.get("theme")
    return Look(language, theme if theme in THEMES else None, _address(request))


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
