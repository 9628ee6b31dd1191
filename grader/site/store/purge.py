"""Removes what is of no use any more, a little at a time, so that nobody waits for it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import Connection, Table, delete, func, select

from grader.site.store.tables import password_links, sessions, submissions, tokens

_CHUNK = 500
_of = submissions.c


class _Writes(Protocol):
    def __call__(self) -> AbstractContextManager[Connection]: ...


def purge(
    write: _Writes,
    now: datetime,
    runs_older_than: timedelta | None,
    submissions_older_than: timedelta | None,
) -> dict[str, int]:
    """Remove what has run out, and what is old; return how many of each.

    Args:
        runs_older_than: None keeps them.
        submissions_older_than: of these, each learner's latest accepted one of a problem stays.
    """
    removed = {}
    for table in (sessions, tokens, password_links):
        with write() as connection:
            gone = delete(table).where(table.c.expires <= now)
            removed[table.name] = connection.execute(gone).rowcount
    removed["run"] = removed["submission"] = 0
    if runs_older_than is not None:
        old = _of.created < now - runs_older_than
        removed["run"] = _remove(write, submissions, old, _of.kind == "run", _of.state == "done")
    if submissions_older_than is not None:
        old = _of.created < now - submissions_older_than
        kept = (
            select(func.max(_of.number))
            .where(_of.kind == "submit", _of.verdict == "accepted")
            .group_by(_of.learner, _of.slug)
        )
        conditions = (old, _of.kind == "submit", _of.state == "done", _of.number.not_in(kept))
        removed["submission"] = _remove(write, submissions, *conditions)
    return removed


def _remove(write: _Writes, table: Table, *conditions: Any) -> int:
    count = 0
    while True:
        with write() as connection:
            numbers = connection.scalars(select(table.c.number).where(*conditions).limit(_CHUNK))
            found = numbers.all()
            if found:
                connection.execute(delete(table).where(table.c.number.in_(found)))
        count += len(found)
        if len(found) < _CHUNK:
            return count
