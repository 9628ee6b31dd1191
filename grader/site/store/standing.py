"""What the submissions say of a learner, and of a problem. Runs never count."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta, tzinfo

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select

from grader.site.store.models import Progress
from grader.site.store.tables import submissions

# Percentiles of the newest so many; more would change no digit and only take time.
MAX_TIMES = 10_000
_of = submissions.c


def counts() -> ColumnElement[bool]:
    """Whether a submission counts: it is no run, and no fault of ours ended it."""
    return and_(_of.kind == "submit", or_(_of.verdict.is_(None), _of.verdict != "internal_error"))


def progress(connection: Connection, learner: int) -> dict[str, Progress]:
    """Return how far a learner is, for each problem with a submission."""
    sent = (
        select(
            _of.slug,
            func.count().label("attempts"),
            func.max(_of.passed).label("best"),
            func.min(case((_of.verdict == "accepted", _of.created))).label("first_solved"),
            func.max(_of.created).label("last"),
        )
        .where(_of.learner == learner, counts())
        .group_by(_of.slug)
        .subquery()
    )
    # The number of cases may have changed since; this one belongs to the best.
    total = (
        select(func.max(_of.total))
        .where(
            _of.learner == learner,
            _of.kind == "submit",
            _of.slug == sent.c.slug,
            _of.passed == sent.c.best,
        )
        .scalar_subquery()
    )
    return {
        row.slug: Progress(
            solved=row.first_solved is not None,
            attempts=row.attempts,
            best_passed=row.best or 0,
            total=row.total or 0,
            first_solved=row.first_solved,
            last=row.last,
        )
        for row in connection.execute(select(sent, total.label("total")))
    }


def days(connection: Connection, learner: int, since: date, zone: tzinfo) -> dict[date, int]:
    """Return submissions a day, from a day on; days without any are left out."""
    midnight = datetime.combine(since, time.min, zone)
    created = connection.scalars(
        select(_of.created)
        .where(_of.learner == learner, _of.kind == "submit", _of.created >= midnight)
        .order_by(_of.created)
    )
    return dict(Counter(moment.astimezone(zone).date() for moment in created))


def streak(connection: Connection, learner: int, today: date, zone: tzinfo) -> int:
    """Return how many days in a row have a submission; the row ends today or yesterday."""
    created = connection.scalars(
        select(_of.created)
        .where(_of.learner == learner, _of.kind == "submit")
        .order_by(_of.created.desc())
    )
    length, wanted = 0, today
    for moment in created:
        day = moment.astimezone(zone).date()
        if length == 0 and day == today - timedelta(days=1):
            wanted = day
        if day == wanted:
            length, wanted = length + 1, wanted - timedelta(days=1)
        elif day < wanted:
            break
    created.close()
    return length


def accepted_times(connection: Connection, slug: str) -> list[float]:
    """Return CPU milliseconds of the newest accepted submissions of a problem."""
    times = connection.scalars(
        select(_of.cpu_ms)
        .where(_of.slug == slug, _of.kind == "submit", _of.verdict == "accepted")
        .order_by(_of.number.desc())
        .limit(MAX_TIMES)
    )
    return [float(cpu_ms) for cpu_ms in times if cpu_ms is not None]


def verdict_counts(connection: Connection) -> dict[str, dict[str, int]]:
    """Return the judged submissions of each problem by verdict."""
    counted = (
        select(_of.slug, _of.verdict, func.count())
        .where(counts(), _of.verdict.is_not(None))
        .group_by(_of.slug, _of.verdict)
    )
    found: dict[str, dict[str, int]] = {}
    for slug, verdict, count in connection.execute(counted):
        found.setdefault(slug, {})[verdict] = count
    return found
