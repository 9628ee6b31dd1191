"""What every command shares: exit codes, options, and faults told in a sentence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from grader.engine import Grader
    from grader.sandbox.keeper import Isolation
    from grader.spec import Problem

ACCEPTED, REJECTED, USAGE, FAULT, INTERRUPTED = 0, 1, 2, 3, 130
EXIT_CODES = """
\b
Exit codes: 0 accepted (or nothing found), 1 any other verdict (or findings),
2 wrong usage or a faulty spec, 3 a fault of the grader or no isolation here.
"""

isolation_option = click.option(
    "--isolation",
    type=click.Choice(["full", "none"]),
    default="full",
    show_default=True,
    help="'none' runs the submission without a jail: for your own code only.",
)


def fail(code: int, message: str) -> NoReturn:
    """Say what went wrong and end with an exit code."""
    click.echo(f"grader: {message}", err=True)
    sys.exit(code)


_OF_SITE = (
    *("fastapi", "uvicorn", "jinja2", "sqlalchemy", "alembic", "multipart", "math_core", "argon2"),
    *("authlib", "limits", "prometheus_client", "requests", "structlog"),
)


def require_site() -> None:
    """End with how to install it, where what the practice site needs is missing."""
    from importlib.util import find_spec

    if missing := [name for name in _OF_SITE if find_spec(name) is None]:
        fail(USAGE, f"this needs {', '.join(missing)}: pip install 'tensorjudge[site]'")


def load(problem: str) -> Problem:
    """Return a problem, or end with what is wrong with it."""
    from grader.errors import SpecError, UnknownProblem
    from grader.spec import load_problem

    try:
        return load_problem(problem)
    except UnknownProblem as error:
        fail(USAGE, str(error))
    except SpecError as error:
        fail(USAGE, f"the spec is faulty:\n{error}")
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")


def problem_files(paths: tuple[Path, ...]) -> list[Path]:
    """Return the files, and the .json files of the folders, among the paths."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(path.glob("*.json"))
        elif path.is_file():
            files.append(path)
        else:
            fail(USAGE, f"{path}: no such file")
    return files


class faults_explained:
    """Turns our own faults into a sentence and exit code 3, and Ctrl-C into 130."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from grader.errors import InternalFault, IsolationUnavailable

        if isinstance(error, IsolationUnavailable):
            fail(
                FAULT,
                f"refusing to grade without isolation: {error}\n"
                "For your own code only: --isolation none",
            )
        if isinstance(error, InternalFault):
            fail(FAULT, str(error))
        if isinstance(error, KeyboardInterrupt):
            fail(INTERRUPTED, "interrupted")


def make_grader(isolation: Isolation, workers: int = 1) -> Grader:
    """Return a grader; what it needs is imported only now."""
    from grader.engine import Grader

    return Grader(workers, isolation)
