"""`grader serve`: the practice site, on this machine alone or for others."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import (
    EXIT_CODES,
    FAULT,
    USAGE,
    fail,
    faults_explained,
    isolation_option,
    require_site,
)

if TYPE_CHECKING:
    from grader.sandbox.keeper import Isolation
    from grader.site.settings import Settings

# Whoever watches a submission would keep the site from ending; their pages ask again.
_LAST_ANSWERS_S = 3
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(epilog=EXIT_CODES)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="TENSORJUDGE_DATA",
    show_envvar=True,
    help="Folder of the database; by default in the user's data folder.",
)
@click.option(
    "--database",
    envvar="TENSORJUDGE_DATABASE",
    show_envvar=True,
    help="postgresql://... or sqlite:///PATH instead of the data folder's own.",
)
@click.option(
    "--problems",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of specs, read again when they change; the bundle by default.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    show_default="cores",
    help="Submissions judged at a time.",
)
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
@click.option("--address", help="Of a Ray cluster; one on this machine by default.")
@isolation_option
@click.option("--public", is_flag=True, help="With accounts, open to others; see docs/deploy.md.")
@click.option(
    "--url",
    envvar="TENSORJUDGE_URL",
    show_envvar=True,
    help="Under which a public site is known: https://judge.example.org",
)
@click.option("--secret-key-file", type=_FILE, help="Or TENSORJUDGE_SECRET_KEY.")
@click.option(
    "--trusted-proxy",
    multiple=True,
    envvar="TENSORJUDGE_TRUSTED_PROXY",
    show_envvar=True,
    help="Address of the server in front; repeatable.",
)
@click.option("--certificate", type=_FILE, help="For HTTPS without a server in front.")
@click.option("--key", type=_FILE, help="Of the certificate.")
@click.option(
    "--registration",
    type=click.Choice(["open", "closed"]),
    default="open",
    show_default=True,
    help="closed: accounts are made with 'grader site account add'.",
)
@click.option("--providers", type=_FILE, help="TOML with where else people may sign in.")
def serve(**given: Any) -> None:
    """Open the practice site: for one learner on this machine, or with --public for others."""
    require_site()
    settings = _settings(**given)
    with faults_explained():
        _check_database(settings)
        _serve(settings)


def _settings(
    *,
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    problems: Path | None,
    jobs: int,
    engine: str,
    address: str | None,
    isolation: Isolation,
    public: bool,
    **of_public: Any,
) -> Settings:
    from grader.site.public import NotReady, read_public
    from grader.site.settings import NotLocal, Settings, default_data_folder, local_host

    try:
        opened = None
        if public:
            of_public["proxies"] = of_public.pop("trusted_proxy")
            opened = read_public(
                secret_key=os.environ.get("TENSORJUDGE_SECRET_KEY"),
                providers_file=of_public.pop("providers"),
                isolation=isolation,
                **of_public,
            )
        folder = data or default_data_folder()
        if database is None:
            folder.mkdir(parents=True, exist_ok=True)
        return Settings(
            data=folder,
            host=host if public else local_host(host),
            port=port,
            jobs=jobs,
            isolation=isolation,
            database_url=database,
            problems=problems,
            public=opened,
            metrics_token=os.environ.get("TENSORJUDGE_METRICS_TOKEN") or None,
            engine="ray" if engine == "ray" else "local",
            ray_address=address,
        )
    except NotReady as error:
        listed = "\n".join(f"  - {fault}" for fault in error.faults)
        fail(USAGE, f"a public site needs more (docs/deploy.md):\n{listed}")
    except NotLocal as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")


def _check_database(settings: Settings) -> None:
    """Refuse tables of another version before anybody is let in."""
    from grader.cli.site import refusals
    from grader.site.store import Store

    with refusals():
        store = Store(settings.database)
        try:
            if not store.is_current():
                fail(USAGE, "the database is not up to date; run first: grader site migrate")
        finally:
            store.close()


def _serve(settings: Settings) -> None:
    import uvicorn

    from grader.site import logs
    from grader.site.app import create_app

    public = settings.public
    logs.configure(as_json=public is not None, level=logging.INFO if public else logging.WARNING)
    app = create_app(settings)
    if public is None:
        where = settings.database_url or f"data in {settings.data}"
        click.echo(f"http://{settings.host}:{settings.port}  (Ctrl-C ends it; {where})")
    config = uvicorn.Config(
        app,
        settings.host,
        settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        proxy_headers=public is not None,
        forwarded_allow_ips=list(public.proxies) if public else [],
        ssl_certfile=public.certificate if public else None,
        ssl_keyfile=public.key if public else None,
    )
    try:
        uvicorn.Server(config).run()
    except SystemExit:
        fail(FAULT, f"{settings.host}:{settings.port} cannot be opened; is it in use? try --port")
