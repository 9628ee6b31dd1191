"""Opens a database: SQLite so that nobody ever meets a lock, PostgreSQL as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from grader.site.store.models import StoreRefused

# Eight writers at once waited 0.23 s at the most; a backup may hold the file for seconds.
_SQLITE_WAIT_S = 30
# Execution options of a transaction: it only reads; a power cut may undo it, as it would be done
# again. Such a one need not wait for the disk, which takes some milliseconds.
READING = "reading"
UNSYNCED = "unsynced"


def open_engine(address: str, *, migrating: bool = False) -> Engine:
    """Return an engine for an address, without connecting yet.

    Args:
        address: `sqlite:///path` or `postgresql://...`.
        migrating: for a migration: no connection is kept, and SQLite's foreign keys are off, as
            a table that is made anew must not take along the rows that refer to it.

    Raises:
        StoreRefused: neither of the two, or its driver is missing.
    """
    try:
        url = make_url(address)
    except ArgumentError:
        url = URL.create("none")
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, migrating)
    if url.get_backend_name() == "postgresql":
        return _postgresql(url, migrating)
    raise StoreRefused(f"sqlite:///PATH or postgresql://... expected, got {_without_secret(url)}")


def is_missing(address: str) -> bool:
    """Whether an address names a file of SQLite that is not there; opening it would make it."""
    try:
        url = make_url(address)
    except ArgumentError:
        return False
    return url.get_backend_name() == "sqlite" and not Path(url.database or "").exists()


def _sqlite(url: URL, migrating: bool) -> Engine:
    if url.database in (None, "", ":memory:"):
        raise StoreRefused("sqlite:///PATH expected: several connections cannot share a memory")
    Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {"poolclass": NullPool} if migrating else {}
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite"), connect_args={"timeout": _SQLITE_WAIT_S}, **options
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # Python's own BEGIN is deferred, and comes late
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA foreign_keys = {'OFF' if migrating else 'ON'}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A deferred transaction that reads and then writes fails at once, without waiting, if
        # another wrote in between: 226 of 900 did.
        options = connection.get_execution_options()
        if options.get(READING):
            connection.exec_driver_sql("BEGIN")
            return
        synchronous = "NORMAL" if options.get(UNSYNCED) else "FULL"
        connection.exec_driver_sql(f"PRAGMA synchronous = {synchronous}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _postgresql(url: URL, migrating: bool) -> Engine:
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    options: dict[str, Any] = {"poolclass": NullPool} if migrating else {"pool_pre_ping": True}
    try:
        engine = create_engine(url, **options)
    except ModuleNotFoundError as error:
        raise StoreRefused(
            f"PostgreSQL needs a driver ({error}): pip install 'psycopg[binary]'"
        ) from error

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get(UNSYNCED):
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")

    return engine


def _without_secret(url: URL) -> str:
    return url.render_as_string(hide_password=True)
