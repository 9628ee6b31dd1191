"""`grader serve`: the practice site on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.common import EXIT_CODES, FAULT, USAGE, fail, faults_explained, isolation_option

if TYPE_CHECKING:
    from grader.sandbox.keeper import Isolation


@click.command(epilog=EXIT_CODES)
@click.option("--host", default="127.0.0.1", show_default=True, help="An address of this machine.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the database; by default in the user's data folder.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    show_default="cores",
    help="Submissions judged at a time.",
)
@isolation_option
def serve(host: str, port: int, data: Path | None, jobs: int, isolation: Isolation) -> None:
    """Open the practice site for one learner, on this machine only."""
    from importlib.util import find_spec

    needed = ("fastapi", "uvicorn", "jinja2", "sqlalchemy", "alembic", "multipart", "math_core")
    if missing := [name for name in needed if find_spec(name) is None]:
        fail(USAGE, f"this needs {', '.join(missing)}: pip install 'tensorjudge[site]'")
    import uvicorn

    from grader.site.app import create_app
    from grader.site.settings import NotLocal, Settings, default_data_folder, local_host

    try:
        folder = data or default_data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        settings = Settings(folder, local_host(host), port, jobs, isolation)
    except NotLocal as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")
    with faults_explained():
        app = create_app(settings)
        click.echo(f"http://{host}:{port}  (Ctrl-C ends it; data in {folder})")
        server = uvicorn.Server(
            uvicorn.Config(app, host, port, log_level="warning", server_header=False)
        )
        try:
            server.run()
        except SystemExit:
            fail(FAULT, f"{host}:{port} cannot be opened; is it in use? try --port")
