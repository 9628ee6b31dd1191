"""Notices: verdicts that changed because a problem did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select

from grader.site.store.accounts import Open
from grader.site.store.tables import notices, submissions

_of = notices.c


@dataclass(frozen=True)
class Notice:
    """A verdict that changed.

    Attributes:
        submission: id of it.
    """

    id: int
    learner: int
    slug: str
    submission: str
    before: str
    after: str
    created: datetime


class Notices:
    """Notices of a store; every method is one transaction."""

    def __init__(self, read: Open, write: Open) -> None:
        self._read = read
        self._write = write

    def count(self, learner: int) -> int:
        """Return how many wait for a learner."""
        wanted = select(func.count()).where(_of.learner == learner)
        with self._read() as connection:
            return connection.scalar(wanted) or 0

    def unseen(self, learner: int) -> list[Notice]:
        """Return those that wait for a learner, the newest first."""
        wanted = (
            select(
                *(_of.id, _of.learner, submissions.c.slug, submissions.c.id.label("submission")),
                *(_of.before, _of.after, _of.created),
            )
            .join(submissions)
            .where(_of.learner == learner)
            .order_by(_of.id.desc())
        )
        with self._read() as connection:
            return [Notice(**row._mapping) for row in connection.execute(wanted)]

    def dismiss(self, learner: int) -> None:
        """Have them wait no more."""
        with self._write() as connection:
            connection.execute(delete(notices).where(_of.learner == learner))
