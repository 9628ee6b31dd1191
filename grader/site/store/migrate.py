"""Brings a database to this version's tables, and back.

A whole migration is one transaction, so one that fails or is killed leaves what was there. To
write the next revision after a change of the tables:

    python -c 'from grader.site.store import migrate; migrate.new_revision("what changes")'
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from grader.site.store.engine import open_engine
from grader.site.store.models import StoreRefused

_FOLDER = Path(__file__).parent / "migrations"
_VERSIONS = _FOLDER / "versions"
# Of PostgreSQL's advisory locks; any number, as long as nobody else takes it ("TJ" in ASCII).
_LOCK = 0x544A


def upgrade(url: str, revision: str = "head") -> None:
    """Bring a database up to a revision; of several at once, one does it and the others wait.

    Raises:
        StoreRefused: the database was made by a newer version, or is none.
    """
    _move(url, lambda config: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> None:
    """Bring a database back to a revision, "base" for an empty one; what it adds is lost.

    Raises:
        StoreRefused: as `upgrade`.
    """
    _move(url, lambda config: command.downgrade(config, revision))


def is_current(connection: Connection) -> bool:
    """Whether a database has the tables of this version."""
    return MigrationContext.configure(connection).get_current_revision() == newest_revision()


def newest_revision() -> str | None:
    """Return the revision whose tables this version needs."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def new_revision(message: str, folder: Path = _VERSIONS) -> Path:
    """Write a revision with what the tables have and the revisions do not; return its file."""
    with tempfile.TemporaryDirectory() as scratch:
        url = f"sqlite:///{scratch}/scratch.sqlite3"
        upgrade(url)
        engine = open_engine(url, migrating=True)
        with engine.begin() as connection:
            config = _config(connection)
            places = os.pathsep.join(_escaped(place) for place in {_VERSIONS, folder})
            config.set_main_option("version_locations", places)
            made = command.revision(config, message, autogenerate=True, version_path=str(folder))
    assert made is not None
    assert not isinstance(made, list)
    return Path(made.path)


def _move(url: str, action: Callable[[Config], None]) -> None:
    engine = open_engine(url, migrating=True)
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            action(_config(connection))
            if engine.dialect.name == "sqlite":
                _check_references(connection)
    except CommandError as error:
        raise StoreRefused(
            f"the database {engine.url!r} is of another version of this program ({error});"
            " use the newest version"
        ) from error
    except DatabaseError as error:
        raise StoreRefused(f"the database {engine.url!r} cannot be used: {error.orig}") from error


def _check_references(connection: Connection) -> None:
    """Refuse a migration that left rows pointing nowhere: foreign keys were off meanwhile."""
    astray = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if astray:
        raise StoreRefused(f"rows refer to nothing, nothing was changed: {astray[:5]}")


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", _escaped(_FOLDER))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")  # a module's name
    return config


def _escaped(path: Path) -> str:
    """The configuration takes % for the beginning of a reference."""
    return str(path).replace("%", "%%")
