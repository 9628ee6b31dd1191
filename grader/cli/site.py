"""`grader site`: what those do who run a practice site."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import EXIT_CODES, USAGE, fail, load, require_site

if TYPE_CHECKING:
    from grader.site.store import Account, Store

_ROLES = click.Choice(["learner", "author", "admin"])
_DAYS = click.IntRange(min=0)


@click.group(epilog=EXIT_CODES)
def site() -> None:
    """Run a practice site: accounts, backups, judging anew."""
    require_site()


def _where(command: Any) -> Any:
    """Options that name the database, as `grader serve` has them; the command gets its URL."""
    data = click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="TENSORJUDGE_DATA",
        show_envvar=True,
        help="Folder of the database.",
    )
    database = click.option(
        "--database", envvar="TENSORJUDGE_DATABASE", show_envvar=True, help="Or its URL."
    )
    return data(database(command))


def _url(data: Path | None, database: str | None) -> str:
    from grader.site.settings import database_in, default_data_folder

    return database or database_in(data or default_data_folder())


@contextmanager
def refusals() -> Iterator[None]:
    """End with a sentence where the store, the server or the disk refuses."""
    from sqlalchemy.exc import OperationalError

    from grader.site.store import StoreRefused

    try:
        yield
    except StoreRefused as error:
        fail(USAGE, str(error))
    except OperationalError as error:
        fail(USAGE, f"the database cannot be used: {error.orig}")
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")


def _known_url(data: Path | None, database: str | None) -> str:
    """The URL of a database that is there: a mistyped one must not be made."""
    from grader.site.store.engine import is_missing

    url = _url(data, database)
    if is_missing(url):
        fail(USAGE, f"there is no database {url}; name its folder with --data, or --database URL")
    return url


@contextmanager
def _store(url: str) -> Iterator[Store]:
    from grader.site.store import Store

    with refusals():
        opened = Store(url)
        try:
            if not opened.is_current():
                fail(USAGE, "the database is not up to date; run first: grader site migrate")
            yield opened
        finally:
            opened.close()


def _now() -> datetime:
    return datetime.now(UTC)


@site.command()
@_where
def migrate(data: Path | None, database: str | None) -> None:
    """Bring the database up to date; safe to run at every start."""
    from grader.site.store import migrate as migrations

    with refusals():
        url = _url(data, database)
        migrations.upgrade(url)
    click.echo("the database is up to date")


@site.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace the file.")
@_where
def backup(file: Path, force: bool, data: Path | None, database: str | None) -> None:
    """Write everything to FILE, while the site runs. Keep it as safe as the database."""
    from grader.site.store import backup as backups

    with refusals():
        rows = backups.backup(_known_url(data, database), file, replace=force)
    click.echo(f"{file}: {_told(rows)}")


@site.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_where
def restore(file: Path, data: Path | None, database: str | None) -> None:
    """Fill an empty database, of either kind, with the backup in FILE."""
    from grader.site.store import backup as backups

    with refusals():
        rows = backups.restore(file, _url(data, database))
    click.echo(f"restored {_told(rows)}")


def _told(rows: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in rows.items() if count) or "nothing"


@site.command()
@click.option("--runs-older-than", type=_DAYS, metavar="DAYS", help="Runs go too.")
@click.option(
    "--submissions-older-than",
    type=_DAYS,
    metavar="DAYS",
    help="These too, but for the latest accepted one of each learner and problem.",
)
@click.option("--learner", metavar="LOGIN", help="Delete this account with all it has.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_where
def purge(
    runs_older_than: int | None,
    submissions_older_than: int | None,
    learner: str | None,
    yes: bool,
    data: Path | None,
    database: str | None,
) -> None:
    """Remove sessions, tokens and links that ran out, and what the options name."""
    with _store(_known_url(data, database)) as store:
        if learner is not None:
            _delete(store, learner, yes)
            return
        rows = store.purge(_now(), _age(runs_older_than), _age(submissions_older_than))
    click.echo(f"removed {_told(rows)}")


def _age(days: int | None) -> timedelta | None:
    return None if days is None else timedelta(days=days)


def _delete(store: Store, login: str, yes: bool) -> None:
    account = _find(store, login)
    if not yes:
        click.confirm(f"delete {account.login} with all submissions and classes?", abort=True)
    store.accounts.delete(account.id, courses_too=True)
    click.echo(f"{account.login} is deleted")


@site.command()
@click.argument("slug")
@click.option("--all", "every", is_flag=True, help="Also what today's version judged.")
@click.option(
    "--problems",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of specs, as of the site.",
)
@_where
def rejudge(
    slug: str, every: bool, problems: Path | None, data: Path | None, database: str | None
) -> None:
    """Put what an earlier version of SLUG judged back into the queue of the site.

    Verdicts stay until the new ones are there; learners whose verdict changes are told.
    """
    problem = load(str(problems / f"{slug}.json") if problems else slug)
    with _store(_known_url(data, database)) as store:
        count = store.rejudge(problem.slug, None if every else problem.digest)
    click.echo(f"{count} submissions wait to be judged anew")


@site.group()
def account() -> None:
    """Accounts of a public site."""


def _find(store: Store, login: str) -> Account:
    found = store.accounts.find(login)
    if found is None:
        fail(USAGE, f"there is no account {login!r}")
    return found


_from_stdin = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input."
)


def _password(login: str, from_stdin: bool) -> str:
    """The hash of a password that is asked for twice, or read."""
    from grader.site.passwords import BadPassword, checked_password, hash_password

    if from_stdin:
        text = sys.stdin.readline().rstrip("\n")
    else:
        text = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    try:
        return hash_password(checked_password(text, login))
    except BadPassword as error:
        fail(USAGE, str(error))


@account.command()
@click.argument("login")
@click.option("--name", default="", help="That is shown; the login by default.")
@click.option("--role", type=_ROLES, default="learner", show_default=True)
@_from_stdin
@_where
def add(
    login: str,
    name: str,
    role: Any,
    password_stdin: bool,
    data: Path | None,
    database: str | None,
) -> None:
    """Make an account."""
    from grader.site.store import BadLogin, LoginTaken
    from grader.site.store.engine import is_missing

    url = _url(data, database)
    if is_missing(url):
        click.echo(f"grader: there was no database yet: {url} is new", err=True)
    with _store(url) as store:
        hashed = _password(login, password_stdin)
        try:
            made = store.accounts.add(login, name or login, hashed, role, _now())
        except (BadLogin, LoginTaken) as error:
            fail(USAGE, str(error))
    click.echo(f"{made.login}, {made.role}")


@account.command("list")
@click.option("--query", default="", help="Part of a login or a name.")
@_where
def list_accounts(query: str, data: Path | None, database: str | None) -> None:
    """List accounts: login, role, name."""
    with _store(_known_url(data, database)) as store:
        after = None
        while found := store.accounts.search(query, after, 500):
            for each in found:
                state = " (disabled)" if each.disabled else ""
                click.echo(f"{each.login}\t{each.role}\t{each.name}{state}")
            after = found[-1].login


@account.command()
@click.argument("login")
@_from_stdin
@_where
def password(login: str, password_stdin: bool, data: Path | None, database: str | None) -> None:
    """Set a password; every session of the account ends."""
    with _store(_known_url(data, database)) as store:
        found = _find(store, login)
        store.accounts.set_password(found.id, _password(found.login, password_stdin))
    click.echo(f"{found.login}: password set")


@account.command("role")
@click.argument("login")
@click.argument("role", type=_ROLES)
@_where
def set_role(login: str, role: Any, data: Path | None, database: str | None) -> None:
    """Give a role."""
    with _store(_known_url(data, database)) as store:
        store.accounts.set_role(_find(store, login).id, role)
    click.echo(f"{login}: {role}")


@account.command()
@click.argument("login")
@_where
def disable(login: str, data: Path | None, database: str | None) -> None:
    """Shut an account; its sessions end, its tokens open nothing."""
    with _store(_known_url(data, database)) as store:
        store.accounts.set_disabled(_find(store, login).id, True)
    click.echo(f"{login}: disabled")


@account.command()
@click.argument("login")
@_where
def enable(login: str, data: Path | None, database: str | None) -> None:
    """Open it again."""
    with _store(_known_url(data, database)) as store:
        store.accounts.set_disabled(_find(store, login).id, False)
    click.echo(f"{login}: enabled")
