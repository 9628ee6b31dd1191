"""Pages of classes, as pure functions of plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from grader.batch.csv_table import cell as csv_cell
from grader.site.rendering import page
from grader.site.values import Look
from grader.site.wording import word
from grader.site.zones import local_text

if TYPE_CHECKING:
    from grader.site.store import Assignment, CaseAttempt, Cell, Course, Member


@dataclass(frozen=True)
class Task:
    """An assignment as a learner sees it.

    Attributes:
        problems: slug, title and status of each.
        course: of the class, where pages of several are shown.
    """

    assignment: Assignment
    problems: Sequence[tuple[str, str, str]]
    is_over: bool
    course: Course | None = None

    @property
    def solved(self) -> int:
        """How many problems are solved."""
        return sum(status == "solved" for _, _, status in self.problems)


@dataclass(frozen=True)
class Table:
    """Learners by problems.

    Attributes:
        titles: of the problems, by slug, in order.
        cells: by learner and slug; who did not try has none.
    """

    members: Sequence[Member]
    titles: Mapping[str, str]
    cells: Mapping[tuple[int, str], Cell]

    def solved_by(self, slug: str) -> int:
        """How many learners solved a problem."""
        return sum(cell.solved for (_, of), cell in self.cells.items() if of == slug)

    def solved_of(self, learner: int) -> int:
        """How many problems a learner solved."""
        return sum(
            cell.solved
            for (who, slug), cell in self.cells.items()
            if who == learner and slug in self.titles
        )

    def csv_rows(self) -> Iterator[list[str | int]]:
        """Yield a header and one row a learner: what spreadsheets and gradebooks read."""
        kinds = ("status", "attempts", "best", "cases", "solved_at", "on_time")
        yield [
            "login",
            "name",
            "solved",
            *(f"{slug} {kind}" for slug in self.titles for kind in kinds),
        ]
        for member in self.members:
            row: list[str | int] = [csv_cell(member.login), csv_cell(member.name)]
            row.append(self.solved_of(member.learner))
            for slug in self.titles:
                row += _csv_cells(self.cells.get((member.learner, slug)))
            yield row


def _csv_cells(cell: Cell | None) -> list[str | int]:
    if cell is None:
        return ["untouched", 0, "", "", "", ""]
    solved_at = cell.first_solved.isoformat(timespec="seconds") if cell.first_solved else ""
    return [
        "solved" if cell.solved else "tried",
        cell.attempts,
        cell.best_passed,
        cell.total,
        solved_at,
        ("yes" if cell.on_time else "no") if cell.solved else "",
    ]


@dataclass(frozen=True)
class Closer:
    """A learner's attempts at a problem, beside the table."""

    member: Member
    slug: str
    attempts: Sequence[CaseAttempt]


def classes_page(
    look: Look,
    taught: Sequence[Course],
    attended: Sequence[Course],
    tasks: Sequence[Task],
    code: str = "",
    complaint: str = "",
) -> str:
    """Classes one teaches and attends, and what is due.

    Args:
        code: to join by, from a link.
        complaint: key of the words that say why not.
    """
    return page(
        "classes.html",
        look,
        taught=taught,
        attended=attended,
        tasks=tasks,
        code=code,
        complaint=word(f"f.{complaint}", look.language) if complaint else "",
    )


def class_page(look: Look, course: Course, tasks: Sequence[Task]) -> str:
    """A class as its learners see it."""
    return page("class.html", look, course=course, tasks=tasks)


def taught_page(
    look: Look,
    course: Course,
    assignments: Sequence[Assignment],
    chosen: Assignment | None,
    table: Table,
    closer: Closer | None,
    url: str,
) -> str:
    """A class as its teacher sees it: the table, and one learner's attempts beside it.

    Args:
        chosen: the assignment shown; None for all problems of the class.
        url: of the site, for the link to join by.
    """
    return page(
        "class_table.html",
        look,
        course=course,
        assignments=assignments,
        chosen=chosen,
        table=table,
        closer=closer,
        url=url,
    )


def assignment_page(
    look: Look,
    course: Course,
    assignment: Assignment | None,
    problems: Sequence[tuple[str, str, str]],
    zone: tzinfo,
    given: Mapping[str, str] | None = None,
    complaint: str = "",
) -> str:
    """The form of an assignment.

    Args:
        assignment: None for a new one.
        problems: slug, title and difficulty of all.
        given: title, slugs, opens and due as they were sent, to be mended.
    """
    slugs = assignment.slugs if assignment else ()
    shown = given or {
        "title": assignment.title if assignment else "",
        "opens": local_text(assignment.opens if assignment else None, zone),
        "due": local_text(assignment.due if assignment else None, zone),
    }
    chosen = given["slugs"].split() if given else list(slugs)
    return page(
        "assignment.html",
        look,
        course=course,
        assignment=assignment,
        problems=problems,
        chosen=chosen,
        shown=shown,
        zone=str(zone),
        complaint=word(f"f.{complaint}", look.language) if complaint else "",
    )


def delete_class_page(look: Look, course: Course) -> str:
    """Asks again before a class goes."""
    return page("delete_class.html", look, course=course)


def is_over(assignment: Assignment, now: datetime) -> bool:
    """Whether an assignment is due no more."""
    return assignment.due is not None and assignment.due < now
