"""The submissions: a row is the durable queue, the history and the result.

queued → running (leased to one attempt) → done. Whoever dies holding a submission loses it to the
next claim once the lease has run out, and can then no longer finish it. Functions run inside the
caller's transaction.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    func,
    insert,
    null,
    or_,
    select,
    update,
)

from grader.site.store.models import Kind, QueueFull, QueueState, Submission
from grader.site.store.tables import learners, notices, submissions, texts

_ID = re.compile(r"[0-9a-f]{32}")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # as in the problem's schema
_of = submissions.c
# Named rather than "not done", which no index finds among all that was ever judged.
_WAITING = ("queued", "running")


def _holds(identity: Any, attempt: Any) -> tuple[ColumnElement[bool], ...]:
    return _of.id == identity, _of.attempt == attempt, _of.state == "running"


def _whole(reports: bool = True) -> Select[Any]:
    report = texts.c.report if reports else null().label("report")
    return select(submissions, texts.c.source, texts.c.custom_input, report).join(texts)


# What every submission needs is made once: to build a statement takes longer than to run it.
_ADD = insert(submissions).returning(_of.number)
_ADD_TEXT = insert(texts)
_CHANGE = update(submissions).where(_of.number == bindparam("at"))
_CHANGE_TEXT = update(texts).where(texts.c.number == bindparam("at"))
_BY_ID = _whole().where(_of.id == bindparam("id"))
_ANY_QUEUED = select(_of.number).where(_of.state == "queued").limit(1)
_LOCKED = (
    select(_of.number, _of.learner, _of.before_verdict)
    .where(*_holds(bindparam("id"), bindparam("attempt")))
    .with_for_update()
)
_LOCKED_LEARNER = (
    select(learners.c.id).where(learners.c.id == bindparam("learner")).with_for_update()
)
_WAITING_OF_LEARNER = select(func.count()).where(
    _of.learner == bindparam("learner"), _of.state.in_(_WAITING), _of.before_verdict.is_(None)
)


def checked_slug(slug: str) -> str:
    """Return a slug.

    Raises:
        ValueError: no problem can be called that; it would become a name in an export.
    """
    if _SLUG.fullmatch(slug) is None:
        raise ValueError(f"the slug of a problem expected, got {slug!r}")
    return slug


def add(
    connection: Connection,
    learner: int,
    slug: str,
    source: str,
    kind: Kind,
    now: datetime,
    custom_input: str | None,
    lease: timedelta | None,
) -> Submission:
    """Put a submission into the queue.

    Args:
        lease: of whoever takes it up at once, as its first attempt, if nobody waits; None where
            nobody would.
    """
    waits = lease is None or connection.scalar(_ANY_QUEUED)
    row: dict[str, Any] = {
        "id": uuid.uuid4().hex,
        "learner": learner,
        "slug": checked_slug(slug),
        "kind": kind,
        "created": now,
        "state": "queued" if waits else "running",
        "attempt": 0 if waits else 1,
        "lease_until": None if waits or lease is None else now + lease,
    }
    number = connection.scalar(_ADD, row)
    text = {"number": number, "source": source, "custom_input": custom_input}
    connection.execute(_ADD_TEXT, text)
    for name in ("created", "lease_until"):  # as they are read
        row[name] = row[name] and row[name].astimezone(UTC)
    none: dict[str, Any] = dict.fromkeys(
        ("verdict", "passed", "total", "cpu_ms", "report", "finished")
    )
    return Submission(**row, **none, source=source, custom_input=custom_input)


def check_room(connection: Connection, learner: int, most: int) -> None:
    """Refuse a submission more than a learner may have waiting.

    Raises:
        QueueFull: they have.
    """
    # Of two at once, one waits here for the other. SQLite has a single writer anyway.
    connection.execute(_LOCKED_LEARNER, {"learner": learner})
    waiting = connection.scalar(_WAITING_OF_LEARNER, {"learner": learner}) or 0
    if waiting >= most:
        raise QueueFull(f"{waiting} of your submissions wait already; wait for one to be judged.")


def claim(connection: Connection, now: datetime, lease: timedelta, limit: int) -> list[Submission]:
    """Take the oldest that wait, and those whose lease ran out, for a new attempt."""
    if limit <= 0:  # SQLite takes a negative one for none at all
        return []
    free = and_(_of.state.in_(_WAITING), or_(_of.state == "queued", _of.lease_until <= now))
    # SQLite needs no row locks: nobody else is in a writing transaction.
    oldest = select(_of.number).where(free).order_by(_of.priority, _of.number).limit(limit)
    numbers = connection.scalars(oldest.with_for_update(skip_locked=True)).all()
    if not numbers:
        return []
    connection.execute(
        update(submissions)
        .where(_of.number.in_(numbers))
        .values(state="running", attempt=_of.attempt + 1, lease_until=now + lease)
    )
    return at(connection, numbers)


def renew(
    connection: Connection, held: Iterable[tuple[str, int]], now: datetime, lease: timedelta
) -> set[str]:
    """Lengthen the leases of attempts, and return the ids that are still theirs."""
    kept = set()
    for identity, attempt in sorted(held):  # one order for all, so that no two wait in a ring
        change = _held(identity, attempt).values(lease_until=now + lease)
        if connection.execute(change).rowcount:
            kept.add(identity)
    return kept


def finish(
    connection: Connection, identity: str, attempt: int, report: dict[str, Any], now: datetime
) -> bool:
    """Store the report of an attempt; False if the submission is no longer its own.

    One that is judged anew keeps what it had if we were at fault; if its verdict changed, its
    learner gets a notice.
    """
    row = connection.execute(_LOCKED, {"id": identity, "attempt": attempt}).one_or_none()
    if row is None:
        return False
    before, verdict = row.before_verdict, str(report["verdict"])
    values: dict[str, Any] = {"state": "done", "lease_until": None, "priority": 0}
    values["before_verdict"] = None
    if before is None or verdict != "internal_error":
        values |= {
            "verdict": verdict,
            "passed": report["passed"],
            "total": report["total"],
            "cpu_ms": report["usage"]["cpu_ms"],
            "spec_digest": report.get("digests", {}).get("spec"),
            "finished": now,
        }
        connection.execute(_CHANGE_TEXT, {"at": row.number, "report": report})
        if before not in (None, verdict):
            notice = {"learner": row.learner, "number": row.number, "before": before}
            notice |= {"after": verdict, "created": now}
            connection.execute(insert(notices).values(notice))
    connection.execute(_CHANGE, {"at": row.number, **values})
    return True


def rejudge(connection: Connection, slug: str, digest: str | None) -> int:
    """Put the judged submissions of a problem back into the queue, behind all others.

    What is being judged at this moment, perhaps by the problem as it was, is taken from whoever
    holds it and waits in its old place.

    Args:
        digest: of the problem; what was judged by it is left alone. None for all.
    """
    attempts = update(submissions).where(_of.slug == slug, _of.kind == "submit")
    held = attempts.where(_of.state == "running")
    begun = connection.execute(
        held.values(state="queued", lease_until=None, first_attempt=_of.attempt)
    ).rowcount
    found = attempts.where(_of.state == "done", _of.verdict.is_not(None))
    if digest is not None:
        found = found.where(or_(_of.spec_digest.is_(None), _of.spec_digest != digest))
    anew = {"state": "queued", "priority": 1, "first_attempt": _of.attempt}
    done = connection.execute(found.values(anew | {"before_verdict": _of.verdict})).rowcount
    return begun + done


def state(connection: Connection, now: datetime) -> QueueState:
    """Return how full the queue is."""
    counted = select(_of.state, func.count()).where(_of.state.in_(_WAITING)).group_by(_of.state)
    counts = {row[0]: row[1] for row in connection.execute(counted)}
    fresh = select(func.min(_of.created)).where(_of.state == "queued", _of.priority == 0)
    oldest = connection.scalar(fresh)
    wait_s = (now - oldest).total_seconds() if oldest is not None else 0.0
    return QueueState(counts.get("queued", 0), counts.get("running", 0), max(wait_s, 0.0))


def release(connection: Connection, identity: str, attempt: int) -> bool:
    """Put what an attempt holds back into its place; False if it is no longer its own.

    It does not count as a try: the site was stopped in good order, or the engine was away.
    """
    back = {"state": "queued", "lease_until": None, "first_attempt": _of.first_attempt + 1}
    change = _held(identity, attempt).values(back)
    return bool(connection.execute(change).rowcount)


def find(connection: Connection, identity: str) -> Submission | None:
    """Return a submission by its id, which may be any text."""
    if _ID.fullmatch(identity) is None:
        return None
    row = connection.execute(_BY_ID, {"id": identity}).one_or_none()
    return None if row is None else _submission(row)


def newest(
    connection: Connection,
    learner: int,
    *,
    slug: str | None,
    kind: Kind,
    limit: int,
    before: str | None,
    reports: bool,
) -> list[Submission]:
    """Return submissions of a learner, the newest first."""
    wanted = _whole(reports).where(_of.learner == learner, _of.kind == kind)
    if slug is not None:
        wanted = wanted.where(_of.slug == slug)
    if before is not None:
        if _ID.fullmatch(before) is None:
            return []
        theirs = submissions.alias()
        mark = select(theirs.c.number).where(theirs.c.id == before, theirs.c.learner == learner)
        wanted = wanted.where(_of.number < mark.scalar_subquery())
    rows = connection.execute(wanted.order_by(_of.number.desc()).limit(max(limit, 0)))
    return [_submission(row) for row in rows]


def waiting_before(connection: Connection, identity: str) -> int:
    """Return how many wait and come before one that waits; 0 for any other."""
    if _ID.fullmatch(identity) is None:
        return 0
    mark = select(_of.priority, _of.number).where(_of.id == identity, _of.state == "queued")
    row = connection.execute(mark).one_or_none()
    if row is None:
        return 0
    earlier = and_(_of.priority == row.priority, _of.number < row.number)
    before = or_(_of.priority < row.priority, earlier)
    return connection.scalar(select(func.count()).where(_of.state == "queued", before)) or 0


def numbers_of(connection: Connection, learner: int) -> list[int]:
    """Return the places of all submissions of a learner, of both kinds, the oldest first."""
    wanted = select(_of.number).where(_of.learner == learner).order_by(_of.number)
    return list(connection.scalars(wanted))


def at(connection: Connection, numbers: Sequence[int]) -> list[Submission]:
    """Return the submissions at places, the oldest first."""
    rows = connection.execute(_whole().where(_of.number.in_(numbers)).order_by(_of.number))
    return [_submission(row) for row in rows]


def _held(identity: str, attempt: int) -> Any:
    """An update of a submission, as long as the attempt holds it."""
    return update(submissions).where(*_holds(identity, attempt))


def _submission(row: Row[Any]) -> Submission:
    values = dict(row._mapping)
    del values["number"], values["priority"]
    return Submission(**values)
