"""The store: what the site keeps, in SQLite or PostgreSQL, by one address and the same code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from sqlalchemy import Connection

from grader.site.store import desk, queue, standing
from grader.site.store.accounts import Accounts
from grader.site.store.classes import Classes
from grader.site.store.engine import READING, UNSYNCED, open_engine
from grader.site.store.export import export
from grader.site.store.migrate import is_current, upgrade
from grader.site.store.models import Kind, Progress, QueueState, Submission
from grader.site.store.notices import Notices
from grader.site.store.purge import purge
from grader.site.store.tables import desks
from grader.site.store.tickets import Tickets

__all__ = ["Progress", "Store", "Submission"]


class Store:
    """One database. Threads and processes may share it, each process with a store of its own.

    Every method is one transaction. Texts may hold anything, NUL and lone surrogates included;
    an id may be any text; a slug must be one, and times need a zone.

    Args:
        url: `sqlite:///path`, made and brought up to date at once; or `postgresql://...`, where
            the operator says when (`migrate`).

    Raises:
        StoreRefused: the database cannot be used.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = open_engine(url)
        self._reading = self._engine.execution_options(**{READING: True})
        self._unsynced = self._engine.execution_options(**{UNSYNCED: True})
        self.accounts = Accounts(self._read, self._write)
        self.tickets = Tickets(self._read, self._write)
        self.classes = Classes(self._read, self._write)
        self.notices = Notices(self._read, self._write)
        if self._engine.dialect.name == "sqlite":
            self.migrate()

    def migrate(self) -> None:
        """Bring the tables up to date; safe while others do the same.

        Raises:
            StoreRefused: the database was made by a newer version, or is none.
        """
        upgrade(self._url)

    def is_current(self) -> bool:
        """Whether the tables are those this version needs."""
        with self._read() as connection:
            return is_current(connection)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _read(self) -> AbstractContextManager[Connection]:
        return self._reading.begin()

    def _write(self) -> AbstractContextManager[Connection]:
        return self._engine.begin()

    def _write_unsynced(self) -> AbstractContextManager[Connection]:
        """For what a power cut may undo: the queue takes the submission up once more."""
        return self._unsynced.begin()

    def local_learner(self, now: datetime) -> int:
        """Return the one learner of a site without accounts, made at the first call."""
        with self._write() as connection:
            return desk.local_learner(connection, now)

    def add_submission(
        self,
        learner: int,
        slug: str,
        source: str,
        kind: Kind,
        now: datetime,
        custom_input: str | None = None,
        *,
        is_draft: bool = False,
        most_waiting: int | None = None,
        lease: timedelta | None = None,
    ) -> Submission:
        """Put a submission into the queue.

        Args:
            is_draft: the source is the draft as well from now on.
            most_waiting: of the learner's own, this one among them.
            lease: that of the caller, who takes it up at once if nobody waits: it is running then,
                as if the caller had claimed it.

        Raises:
            ValueError: not a slug.
            QueueFull: they have so many waiting.
        """
        with self._write() as connection:
            if most_waiting is not None:
                queue.check_room(connection, learner, most_waiting)
            if is_draft:
                desk.save_text(connection, "draft", learner, slug, source, now)
            return queue.add(connection, learner, slug, source, kind, now, custom_input, lease)

    def claim(self, now: datetime, lease: timedelta, limit: int) -> list[Submission]:
        """Take up to so many of the oldest that wait, or whose lease ran out, oldest first.

        No two callers get the same attempt of the same submission.
        """
        with self._write_unsynced() as connection:
            return queue.claim(connection, now, lease, limit)

    def renew(self, held: Iterable[tuple[str, int]], now: datetime, lease: timedelta) -> set[str]:
        """Lengthen leases.

        Args:
            held: ids and attempts.

        Returns:
            The ids still held; the others belong to somebody else or are done.
        """
        with self._write_unsynced() as connection:
            return queue.renew(connection, held, now, lease)

    def finish(self, id: str, attempt: int, report: dict[str, Any], now: datetime) -> bool:
        """Store the report of an attempt; False if the submission is no longer its own."""
        with self._write_unsynced() as connection:
            return queue.finish(connection, id, attempt, report, now)

    def release(self, id: str, attempt: int) -> bool:
        """Put a submission back into its place; False if it is no longer the attempt's own."""
        with self._write_unsynced() as connection:
            return queue.release(connection, id, attempt)

    def rejudge(self, slug: str, digest: str | None) -> int:
        """Have the submissions of a problem judged anew; return how many.

        Their verdicts stay until the new ones are there. Learners whose verdict changes get a
        notice.

        Args:
            digest: of the problem; what was judged by it is left alone. None for all.
        """
        with self._write() as connection:
            return queue.rejudge(connection, slug, digest)

    def queue_state(self, now: datetime) -> QueueState:
        """Return how full the queue is."""
        with self._read() as connection:
            return queue.state(connection, now)

    def submission(self, id: str) -> Submission | None:
        """Return a submission, whoever sent it."""
        with self._read() as connection:
            return queue.find(connection, id)

    def submissions(
        self,
        learner: int,
        slug: str | None = None,
        kind: Kind = "submit",
        limit: int = 50,
        before: str | None = None,
        *,
        reports: bool = True,
    ) -> list[Submission]:
        """Return a learner's submissions, the newest first.

        Args:
            before: id of a submission of theirs; only older ones are returned.
            reports: False leaves `report` None, which is much faster for a list of verdicts.
        """
        with self._read() as connection:
            return queue.newest(
                connection,
                learner,
                slug=slug,
                kind=kind,
                limit=limit,
                before=before,
                reports=reports,
            )

    def waiting_before(self, id: str) -> int:
        """Return how many wait and came before one that waits; 0 for any other."""
        with self._read() as connection:
            return queue.waiting_before(connection, id)

    def progress(self, learner: int) -> dict[str, Progress]:
        """Return how far a learner is, by slug, for each problem with a submission."""
        with self._read() as connection:
            return standing.progress(connection, learner)

    def days(self, learner: int, since: date, zone: tzinfo = UTC) -> dict[date, int]:
        """Return submissions a day in a time zone, from a day on; empty days are left out."""
        with self._read() as connection:
            return standing.days(connection, learner, since, zone)

    def streak(self, learner: int, today: date, zone: tzinfo = UTC) -> int:
        """Return days in a row with a submission, ending today or yesterday."""
        with self._read() as connection:
            return standing.streak(connection, learner, today, zone)

    def accepted_times(self, slug: str) -> list[float]:
        """Return CPU milliseconds of accepted submissions, the newest 10,000 at the most."""
        with self._read() as connection:
            return standing.accepted_times(connection, slug)

    def verdict_counts(self) -> dict[str, dict[str, int]]:
        """Return the judged submissions of each problem by verdict."""
        with self._read() as connection:
            return standing.verdict_counts(connection)

    def draft(self, learner: int, slug: str) -> str | None:
        """Return the draft, None if none was ever saved."""
        draft: str | None = self._kept("draft", learner, slug)
        return draft

    def save_draft(self, learner: int, slug: str, source: str, now: datetime) -> None:
        """Keep a draft, unless a later one came first."""
        with self._write() as connection:
            desk.save_text(connection, "draft", learner, slug, source, now)

    def note(self, learner: int, slug: str) -> str | None:
        """Return the note, None if none was ever saved."""
        note: str | None = self._kept("note", learner, slug)
        return note

    def save_note(self, learner: int, slug: str, text: str, now: datetime) -> None:
        """Keep a note, unless a later one came first."""
        with self._write() as connection:
            desk.save_text(connection, "note", learner, slug, text, now)

    def hints_shown(self, learner: int, slug: str) -> int:
        """Return how many hints were shown."""
        return self._kept("hints_shown", learner, slug) or 0

    def show_hint(self, learner: int, slug: str) -> int:
        """Count one more hint as shown, and return how many are."""
        with self._write() as connection:
            return desk.show_hint(connection, learner, slug)

    def given_up(self, learner: int, slug: str) -> bool:
        """Whether the learner gave up."""
        return self._kept("given_up", learner, slug) is not None

    def give_up(self, learner: int, slug: str, now: datetime) -> None:
        """Remember that the learner gave up; the first time counts."""
        with self._write() as connection:
            desk.give_up(connection, learner, slug, now)

    def export(self, learner: int) -> Iterator[tuple[str, bytes]]:
        """Return names and contents of all that a learner wrote and got."""
        return export(self._read, learner)

    def purge(
        self,
        now: datetime,
        runs_older_than: timedelta | None = None,
        submissions_older_than: timedelta | None = None,
    ) -> dict[str, int]:
        """Remove what has run out, and what is old; return how many of each.

        Args:
            runs_older_than: None keeps them.
            submissions_older_than: of these, each learner's latest accepted one of a problem stays.
        """
        return purge(self._read, self._write, now, runs_older_than, submissions_older_than)

    def _kept(self, name: str, learner: int, slug: str) -> Any:
        with self._read() as connection:
            return desk.kept(connection, desks.c[name], learner, slug)
