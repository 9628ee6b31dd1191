"""The log: JSON lines for machines, plain ones for a terminal; never a query, a body or a token."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TextIO

import structlog

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Asked all the time, and of no interest as long as all is well.
_QUIET = ("/healthz", "/metrics", "/static/{name}")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

log = structlog.stdlib.get_logger("grader.site")


def configure(*, as_json: bool, level: int, stream: TextIO | None = None) -> None:
    """Send the log of the site, of its server and its libraries one way.

    Args:
        stream: standard error if None.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    ending: list[Any]
    if as_json:
        ending = [
            structlog.processors.dict_tracebacks,
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ]
    else:
        ending = [structlog.dev.ConsoleRenderer(colors=False)]
    formatter = structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
        foreign_pre_chain=shared,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.INFO) if as_json else level)
    logging.getLogger("grader").setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "alembic", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.WARNING)


class Told:
    """Middleware: one line and one figure a request, by the route's template."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, then tell."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def write(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, write)
        finally:
            self._tell(scope, status, time.perf_counter() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None) or "none"
        method = scope["method"] if scope["method"] in _METHODS else "other"
        desk = getattr(scope["app"].state, "desk", None) if "app" in scope else None
        if desk is not None:
            desk.metrics.answered(method, route, status, seconds)
        if route in _QUIET and status < 400:
            return
        visitor = scope.get("state", {}).get("visitor")
        log.info(
            "request",
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
            learner=getattr(visitor, "id", None),
        )
