"""The site as an application: what is made at its start and ended with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from grader.batch.executor import LocalPool
from grader.site import pages
from grader.site.dispatcher import Dispatcher
from grader.site.events import Hub
from grader.site.guard import Guard
from grader.site.looks import look_of
from grader.site.settings import LOCAL_NAMES, Settings
from grader.site.shelf import Shelf
from grader.site.store import Store


@dataclass(frozen=True)
class Desk:
    """What every request works with."""

    store: Store
    pool: LocalPool
    shelf: Shelf
    hub: Hub
    dispatcher: Dispatcher
    learner: int


def create_app(settings: Settings) -> FastAPI:
    """Return the site; its judge starts when it is served.

    Raises:
        IsolationUnavailable: this host cannot jail; found out before the first page.
    """
    pool = LocalPool(settings.jobs, settings.isolation)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.database)
        store.migrate()
        hub, shelf = Hub(), Shelf()
        hub.attach()
        dispatcher = Dispatcher(store, pool, shelf, hub)
        learner = store.local_learner(datetime.now(UTC))
        app.state.desk = Desk(store, pool, shelf, hub, dispatcher, learner)
        dispatcher.start()
        try:
            yield
        finally:
            dispatcher.stop()
            pool.close()
            store.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, hosts=(*LOCAL_NAMES, settings.host))
    _add_routes(app)
    app.add_exception_handler(HTTPException, _error_page)
    return app


def _add_routes(app: FastAPI) -> None:
    from grader.site.routes import files, learner, problems, submissions

    for module in (files, problems, submissions, learner):
        app.include_router(module.router)


async def _error_page(request: Request, error: Exception) -> Response:
    """Tell what went wrong on a page of the site."""
    assert isinstance(error, HTTPException)
    look = look_of(request)
    return HTMLResponse(
        pages.error_page(look, error.status_code, str(error.detail)), error.status_code
    )
