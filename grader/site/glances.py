"""Progress at a glance: what is solved, how many days in a row, and where to go on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from grader.site.listing import next_problem, status_of
from grader.site.pages import Glance
from grader.site.shelf import Shelf
from grader.site.store import Store

_WEEKS = 26


def year_of(store: Store, learner: int, now: datetime) -> dict[date, int]:
    """Return the submissions of a learner in the last year, a day each.

    Args:
        now: in the zone in which days are counted.
    """
    return store.days(learner, now.date() - timedelta(weeks=53), now.tzinfo or UTC)


def glance_of(store: Store, learner: int, shelf: Shelf, now: datetime, language: str) -> Glance:
    """Return the glance of a learner.

    Args:
        now: in the zone in which days are counted.
    """
    today, zone = now.date(), now.tzinfo or UTC
    progress = {slug: each for slug, each in store.progress(learner).items() if shelf.find(slug)}
    latest = max(progress, key=lambda slug: progress[slug].last, default=None)
    solved = sum(each.solved for each in progress.values())
    problems = list(shelf)
    open_one = latest if latest and status_of(latest, progress) == "tried" else None
    return Glance(
        solved=solved,
        tried=len(progress) - solved,
        total=len(problems),
        streak=store.streak(learner, today, zone),
        days=store.days(learner, today - timedelta(weeks=_WEEKS), zone),
        carry_on=open_one,
        next=next_problem(problems, progress, latest),
        today=today,
        titles=shelf.titles(language),
    )
