"""How the learners of a class stand at what is set, without anything that they wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, func, select

from grader.site.store.standing import counts
from grader.site.store.tables import assigned, assignments, members, submissions, texts


@dataclass(frozen=True)
class Cell:
    """How a learner stands at a problem that they tried.

    Attributes:
        best_passed: most cases that passed in one submission, of `total`.
        last_verdict: of the last one that has a report.
        on_time: solved before it was due.
    """

    learner: int
    slug: str
    solved: bool
    attempts: int
    best_passed: int
    total: int
    first_solved: datetime | None
    last: datetime
    last_verdict: str | None
    on_time: bool


@dataclass(frozen=True)
class CaseAttempt:
    """A submission without what was written, for a teacher.

    Attributes:
        cases: name and verdict of each.
    """

    created: datetime
    verdict: str | None
    passed: int | None
    total: int | None
    cpu_ms: float | None
    cases: tuple[tuple[str, str], ...]


def table(connection: Connection, course: int, assignment: int | None) -> list[Cell]:
    """Return how the learners of a class stand at the problems they tried, see `Classes.table`."""
    return [_cell(row) for row in connection.execute(_standing(course, assignment))]


def attempts(connection: Connection, learner: int, slug: str, limit: int) -> list[CaseAttempt]:
    """Return somebody's submissions to a problem, the newest first."""
    at = submissions.c
    wanted: Select[Any] = (
        select(at.created, at.verdict, at.passed, at.total, at.cpu_ms, texts.c.report)
        .join(texts)
        .where(at.learner == learner, at.slug == slug, at.kind == "submit")
        .order_by(at.number.desc())
        .limit(limit)
    )
    return [_attempt(row) for row in connection.execute(wanted).all()]


def _standing(course: int, assignment: int | None) -> Select[Any]:
    """One row for each learner of a class and each problem of it that they tried."""
    sent = submissions.c
    set_here = (
        select(assigned.c.slug, func.max(assignments.c.due).label("due"))
        .join(assignments)
        .where(assignments.c.course == course)
        .group_by(assigned.c.slug)
    )
    if assignment is not None:
        set_here = set_here.where(assignments.c.id == assignment)
    wanted = set_here.subquery()
    tried = (
        select(
            sent.learner,
            sent.slug,
            wanted.c.due,
            func.count().label("attempts"),
            func.max(sent.passed).label("best_passed"),
            func.min(case((sent.verdict == "accepted", sent.created))).label("first_solved"),
            func.max(sent.created).label("last"),
            func.max(case((sent.verdict.is_not(None), sent.number))).label("latest"),
        )
        .join(wanted, wanted.c.slug == sent.slug)
        .join(members, and_(members.c.learner == sent.learner, members.c.course == course))
        .where(counts())
        .group_by(sent.learner, sent.slug, wanted.c.due)
        .subquery()
    )
    # The number of cases may have changed since; this one belongs to the best.
    best, latest = submissions.alias(), submissions.alias()
    total = (
        select(func.max(best.c.total))
        .where(
            best.c.learner == tried.c.learner,
            best.c.kind == "submit",
            best.c.slug == tried.c.slug,
            best.c.passed == tried.c.best_passed,
        )
        .scalar_subquery()
    )
    return select(tried, latest.c.verdict, total.label("total")).outerjoin(
        latest, latest.c.number == tried.c.latest
    )


def _cell(row: Row[Any]) -> Cell:
    first, due = row.first_solved, row.due
    return Cell(
        learner=row.learner,
        slug=row.slug,
        solved=first is not None,
        attempts=row.attempts,
        best_passed=row.best_passed or 0,
        total=row.total or 0,
        first_solved=first,
        last=row.last,
        last_verdict=row.verdict,
        on_time=first is not None and (due is None or first <= due),
    )


def _attempt(row: Row[Any]) -> CaseAttempt:
    cases = (row.report or {}).get("cases", [])
    return CaseAttempt(
        created=row.created,
        verdict=row.verdict,
        passed=row.passed,
        total=row.total,
        cpu_ms=row.cpu_ms,
        cases=tuple((str(each["case_name"]), str(each["verdict"])) for each in cases),
    )
