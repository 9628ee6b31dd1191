"""Classes: who teaches and attends them, and what is set."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from grader.site.store import class_standing as standing
from grader.site.store.accounts import Open
from grader.site.store.class_standing import CaseAttempt, Cell
from grader.site.store.tables import (
    assigned,
    assignments,
    courses,
    learners,
    members,
)

# Without those that look like another: 0 and O, 1 and I and L, 2 and Z, 5 and S, 8 and B.
_LETTERS = "ACDEFGHJKMNPQRTUVWXY34679"
_CODE_LENGTH = 8  # 1.5e11 codes, against 20 tries in five minutes
_of = courses.c


@dataclass(frozen=True)
class Course:
    """A class of learners.

    Attributes:
        owner: who teaches it.
        join_code: None while nobody can join.
        archived: put away; nobody can join, and it sets nothing any more.
    """

    id: int
    owner: int
    name: str
    join_code: str | None
    created: datetime
    archived: bool


@dataclass(frozen=True)
class Member:
    """Who attends a class."""

    learner: int
    login: str
    name: str
    joined: datetime


@dataclass(frozen=True)
class Assignment:
    """Problems to be done.

    Attributes:
        opens: when learners are shown it, None for at once.
        due: None for whenever they like.
    """

    id: int
    course: int
    title: str
    slugs: tuple[str, ...]
    opens: datetime | None
    due: datetime | None
    created: datetime


class Classes:
    """Classes of a store; every method is one transaction."""

    def __init__(self, read: Open, write: Open) -> None:
        self._read = read
        self._write = write

    def add(self, owner: int, name: str, now: datetime) -> Course:
        """Make a class that can be joined."""
        row = {"owner": owner, "name": name, "created": now, "join_code": _new_code()}
        with self._write() as connection:
            made = connection.execute(insert(courses).values(row).returning(*_of)).one()
        return _course(made)

    def by_id(self, id: int) -> Course | None:
        """Return a class."""
        with self._read() as connection:
            row = connection.execute(select(courses).where(_of.id == id)).one_or_none()
        return None if row is None else _course(row)

    def of_owner(self, learner: int) -> list[Course]:
        """Return the classes somebody teaches, the newest first."""
        return self._courses(select(courses).where(_of.owner == learner))

    def of_member(self, learner: int) -> list[Course]:
        """Return the classes somebody attends, the newest first."""
        attended = select(courses).join(members).where(members.c.learner == learner)
        return self._courses(attended)

    def _courses(self, wanted: Select[Any]) -> list[Course]:
        with self._read() as connection:
            rows = connection.execute(wanted.order_by(_of.archived, _of.id.desc()))
            return [_course(row) for row in rows]

    def rename(self, id: int, name: str) -> None:
        """Call a class otherwise."""
        self._change(id, name=name)

    def new_code(self, id: int) -> str:
        """Make a fresh code to join by; the old one is of no use any more."""
        code = _new_code()
        self._change(id, join_code=code)
        return code

    def close(self, id: int) -> None:
        """Let nobody join any more."""
        self._change(id, join_code=None)

    def archive(self, id: int, archived: bool) -> None:
        """Put a class away, or take it out again."""
        self._change(id, archived=archived)

    def _change(self, id: int, **values: Any) -> None:
        with self._write() as connection:
            connection.execute(update(courses).where(_of.id == id).values(values))

    def delete(self, id: int) -> None:
        """Delete a class; what its learners submitted stays theirs."""
        with self._write() as connection:
            connection.execute(delete(courses).where(_of.id == id))

    def join(self, code: str, learner: int, now: datetime) -> Course | None:
        """Have somebody attend the class of a code, however it is typed; None for a wrong one."""
        typed = "".join(letter for letter in code.upper() if letter.isalnum())
        with self._write() as connection:
            open_one = and_(_of.join_code == typed, _of.archived.is_(False))
            row = connection.execute(select(courses).where(open_one)).one_or_none()
            if row is None:
                return None
            if row.owner != learner and not _attends(connection, row.id, learner):
                joined = {"course": row.id, "learner": learner, "joined": now}
                try:
                    with connection.begin_nested():
                        connection.execute(insert(members).values(joined))
                except IntegrityError:  # twice at once
                    pass
        return _course(row)

    def leave(self, course: int, learner: int) -> None:
        """Have somebody attend a class no more."""
        at = members.c
        with self._write() as connection:
            gone = delete(members).where(at.course == course, at.learner == learner)
            connection.execute(gone)

    def members(self, course: int) -> list[Member]:
        """Return who attends a class, by name."""
        wanted = (
            select(members.c.learner, learners.c.login, learners.c.name, members.c.joined)
            .join(learners, learners.c.id == members.c.learner)
            .where(members.c.course == course)
        )
        with self._read() as connection:
            found = [
                Member(row.learner, row.login, row.name or row.login, row.joined)
                for row in connection.execute(wanted)
            ]
        return sorted(found, key=lambda member: (member.name.casefold(), member.login))

    def is_member(self, course: int, learner: int) -> bool:
        """Whether somebody attends a class."""
        with self._read() as connection:
            return _attends(connection, course, learner)

    def add_assignment(
        self,
        course: int,
        title: str,
        slugs: Sequence[str],
        opens: datetime | None,
        due: datetime | None,
        now: datetime,
    ) -> Assignment:
        """Set an assignment."""
        row = {"course": course, "title": title, "opens": opens, "due": due, "created": now}
        with self._write() as connection:
            number = connection.scalar(insert(assignments).values(row).returning(assignments.c.id))
            assert number is not None
            _put_slugs(connection, number, slugs)
            return _assignments(connection, assignments.c.id == number)[0]

    def change_assignment(
        self,
        id: int,
        title: str,
        slugs: Sequence[str],
        opens: datetime | None,
        due: datetime | None,
    ) -> None:
        """Change an assignment."""
        values = {"title": title, "opens": opens, "due": due}
        with self._write() as connection:
            change = update(assignments).where(assignments.c.id == id).values(values)
            if connection.execute(change).rowcount:
                connection.execute(delete(assigned).where(assigned.c.assignment == id))
                _put_slugs(connection, id, slugs)

    def delete_assignment(self, id: int) -> None:
        """Take an assignment back."""
        with self._write() as connection:
            connection.execute(delete(assignments).where(assignments.c.id == id))

    def assignment(self, id: int) -> Assignment | None:
        """Return an assignment."""
        with self._read() as connection:
            found = _assignments(connection, assignments.c.id == id)
        return found[0] if found else None

    def assignments(self, course: int) -> list[Assignment]:
        """Return what is set in a class, by when it is due; what never is comes last."""
        with self._read() as connection:
            return _assignments(connection, assignments.c.course == course)

    def of_learner(self, learner: int, now: datetime) -> list[tuple[Course, Assignment]]:
        """Return what is shown to somebody in the classes they attend, by when it is due."""
        attended = {each.id: each for each in self.of_member(learner) if not each.archived}
        with self._read() as connection:
            found = _assignments(connection, assignments.c.course.in_(attended))
        return [
            (attended[each.course], each)
            for each in found
            if each.opens is None or each.opens <= now
        ]

    def table(self, course: int, assignment: int | None) -> list[Cell]:
        """Return how the learners of a class stand at the problems they tried.

        Args:
            assignment: None for all that is set in the class; then the latest time counts at
                which a problem is due.
        """
        with self._read() as connection:
            return standing.table(connection, course, assignment)

    def attempts(self, learner: int, slug: str, limit: int) -> list[CaseAttempt]:
        """Return somebody's submissions to a problem, the newest first, without their code."""
        with self._read() as connection:
            return standing.attempts(connection, learner, slug, limit)


def _new_code() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def _attends(connection: Connection, course: int, learner: int) -> bool:
    at = members.c
    wanted = select(at.learner).where(at.course == course, at.learner == learner)
    return connection.scalar(wanted) is not None


def _put_slugs(connection: Connection, assignment: int, slugs: Sequence[str]) -> None:
    rows = [
        {"assignment": assignment, "position": position, "slug": slug}
        for position, slug in enumerate(slugs)
    ]
    if rows:
        connection.execute(insert(assigned), rows)


def _assignments(connection: Connection, condition: Any) -> list[Assignment]:
    at = assignments.c
    rows = connection.execute(
        select(assignments).where(condition).order_by(at.due.is_(None), at.due, at.id)
    ).all()
    slugs: dict[int, list[str]] = {row.id: [] for row in rows}
    listed = select(assigned).where(assigned.c.assignment.in_(slugs)).order_by(assigned.c.position)
    for row in connection.execute(listed):
        slugs[row.assignment].append(row.slug)
    return [Assignment(**row._mapping, slugs=tuple(slugs[row.id])) for row in rows]


def _course(row: Row[Any]) -> Course:
    return Course(**row._mapping)
