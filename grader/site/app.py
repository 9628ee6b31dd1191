"""The site as an application: what is made at its start and ended with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from grader.batch.executor import Executor, LocalPool
from grader.engine import Grader
from grader.site import pages
from grader.site.dispatcher import Dispatcher
from grader.site.events import Hub
from grader.site.guard import Guard
from grader.site.logs import Told
from grader.site.looks import look_of
from grader.site.metrics import Metrics
from grader.site.rates import Rates
from grader.site.rendering import prepare
from grader.site.settings import Settings
from grader.site.shelf import Shelf
from grader.site.store import Store
from grader.site.values import href
from grader.spec import Problem


@dataclass(frozen=True)
class Desk:
    """What every request works with.

    Attributes:
        pool: judges submissions, here or on other machines.
        checker: on this machine, for what is answered while one types.
        hashing: turns of those who hash a password; each takes 64 MiB and a quarter of a second of
            a core, and a crowd at the door must not keep the others from their pages.
        learner: the one of a site without accounts.
    """

    settings: Settings
    store: Store
    pool: Executor
    checker: Grader
    shelf: Shelf
    hub: Hub
    dispatcher: Dispatcher
    rates: Rates
    metrics: Metrics
    hashing: CapacityLimiter
    learner: int


def create_app(settings: Settings) -> FastAPI:
    """Return the site; its judge starts when it is served.

    Raises:
        IsolationUnavailable: this host cannot jail; found out before the first page.
        StoreRefused: the database cannot be used.
    """
    whole = ExitStack()
    pool, checker = _judges(settings, whole)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with whole:
            store = Store(settings.database)
            whole.callback(store.close)
            hub, shelf = Hub(), Shelf(settings.problems, partial(_proved, checker))
            hub.attach()
            metrics = Metrics(
                lambda: store.queue_state(datetime.now(UTC)), lambda: checker.zygote_restarts
            )
            dispatcher = Dispatcher(store, pool, shelf, hub, metrics)
            learner = 0 if settings.public else store.local_learner(datetime.now(UTC))
            app.state.desk = Desk(
                *(settings, store, pool, checker, shelf, hub, dispatcher, Rates()),
                metrics=metrics,
                hashing=CapacityLimiter(2),
                learner=learner,
            )
            await run_in_threadpool(prepare)
            for each in (shelf, dispatcher):
                each.start()
                whole.callback(each.stop)
            yield

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, hosts=settings.hosts, public=settings.public is not None)
    app.add_middleware(Told)
    _add_routes(app)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _bad_fields)
    return app


def _proved(checker: Grader, problem: Problem) -> list[str]:
    """What is wrong with a problem whose form is right: its reference is run."""
    return [f"{path}: {message}" for path, message in checker.dry_run(problem)]


def _judges(settings: Settings, whole: ExitStack) -> tuple[Executor, Grader]:
    if settings.engine == "ray":
        from grader.batch.ray_pool import RayPool

        checker = whole.enter_context(Grader(1, settings.isolation))
        far = RayPool(settings.ray_address, settings.jobs, settings.isolation)
        whole.callback(far.close)
        return far, checker
    pool = LocalPool(settings.jobs, settings.isolation)
    whole.callback(pool.close)
    return pool, pool.grader


def _add_routes(app: FastAPI) -> None:
    from grader.site.routes import (
        accounts,
        admin,
        api,
        assignments,
        classes,
        files,
        learner,
        oauth,
        operations,
        problems,
        submissions,
    )

    for module in (
        files,
        problems,
        submissions,
        learner,
        accounts,
        oauth,
        admin,
        classes,
        assignments,
        api,
        operations,
    ):
        app.include_router(module.router)


async def _http_error(request: Request, error: Exception) -> Response:
    """Tell what went wrong: as JSON below `/api/`, else on a page of the site."""
    assert isinstance(error, HTTPException)
    return await _told(request, error.status_code, str(error.detail), error.headers)


async def _bad_fields(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    places = "; ".join(
        f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors()
    )
    return await _told(request, 422, places[:2000])


async def _told(
    request: Request, status: int, text: str, headers: Mapping[str, str] | None = None
) -> Response:
    path = request.url.path
    if path.startswith("/api/"):
        return JSONResponse({"error": text}, status, headers)
    if status == 401 and request.method == "GET":
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(href("sign-in", next=f"{path}{query}"), 303)
    look = await run_in_threadpool(look_of, request)
    return HTMLResponse(pages.error_page(look, status, text), status, headers)
