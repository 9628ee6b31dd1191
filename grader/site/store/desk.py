"""What a learner keeps at a problem: draft, note, hints seen, whether given up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from grader.site.store.queue import checked_slug
from grader.site.store.tables import desks, learners

LOCAL_LOGIN = ""  # no account can be called that
_of = desks.c


def local_learner(connection: Connection, now: datetime) -> int:
    """Return the one learner of a site without accounts, made at the first call."""
    known = select(learners.c.id).where(learners.c.login == LOCAL_LOGIN)
    if (found := connection.scalar(known)) is None:
        row = {"login": LOCAL_LOGIN, "created": now}
        add = _insert(connection, learners).values(row)
        connection.execute(add.on_conflict_do_nothing())
        found = connection.scalar(known)
    return int(found or 0)


def kept(connection: Connection, column: Column[Any], learner: int, slug: str) -> Any:
    """Return what is in a column for a learner's problem; None if nothing ever was."""
    return connection.scalar(select(column).where(_of.learner == learner, _of.slug == slug))


def save_text(
    connection: Connection, name: str, learner: int, slug: str, text: str, now: datetime
) -> None:
    """Keep a draft or a note, unless a later one came first."""
    saved = _of[f"{name}_saved"]
    values = {name: text, saved.name: now}
    _put(connection, learner, slug, values, values, or_(saved.is_(None), saved <= now))


def show_hint(connection: Connection, learner: int, slug: str) -> int:
    """Count one more hint as seen, and return how many are."""
    more = {"hints_shown": _of.hints_shown + 1}
    _put(connection, learner, slug, {"hints_shown": 1}, more)
    return int(kept(connection, _of.hints_shown, learner, slug))


def give_up(connection: Connection, learner: int, slug: str, now: datetime) -> None:
    """Remember that a learner gave up, and since when."""
    first = {"given_up": func.coalesce(_of.given_up, now)}
    _put(connection, learner, slug, {"given_up": now}, first)


def notes_and_drafts(connection: Connection, learner: int) -> Sequence[Any]:
    """Return rows of slug, note and draft of a learner."""
    wanted = select(_of.slug, _of.note, _of.draft).where(_of.learner == learner)
    return connection.execute(wanted.order_by(_of.slug)).all()


def _put(
    connection: Connection,
    learner: int,
    slug: str,
    first: dict[str, Any],
    then: dict[str, Any],
    condition: ColumnElement[bool] | None = None,
) -> None:
    """Insert a row, or change the one there is."""
    row = {"learner": learner, "slug": checked_slug(slug), **first}
    put = _insert(connection, desks).values(row)
    connection.execute(
        put.on_conflict_do_update(index_elements=["learner", "slug"], set_=then, where=condition)
    )


def _insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that may meet a row that is there already; each dialect has its own."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)
