"""Removes what is of no use any more, a little at a time, so that nobody waits for it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select

from grader.site.store.accounts import Open
from grader.site.store.tables import password_links, sessions, submissions, tokens

_CHUNK = 100  # of up to some hundred KiB each; while it is written, others wait
_of = submissions.c


def purge(
    read: Open,
    write: Open,
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
        removed["run"] = _remove(read, write, old, _of.kind == "run")
    if submissions_older_than is not None:
        old = _of.created < now - submissions_older_than
        kept = (
            select(func.max(_of.number))
            .where(_of.kind == "submit", _of.verdict == "accepted")
            .group_by(_of.learner, _of.slug)
        )
        conditions = (old, _of.kind == "submit", _of.number.not_in(kept))
        removed["submission"] = _remove(read, write, *conditions)
    return removed


def _remove(read: Open, write: Open, *conditions: Any) -> int:
    """Remove judged submissions; they are looked for while others may still write."""
    judged = _of.state == "done"
    with read() as connection:
        numbers = connection.scalars(select(_of.number).where(judged, *conditions)).all()
    count = 0
    for start in range(0, len(numbers), _CHUNK):
        # Some may have been put back into the queue meanwhile.
        gone = delete(submissions).where(_of.number.in_(numbers[start : start + _CHUNK]), judged)
        with write() as connection:
            count += connection.execute(gone).rowcount
    return count
