"""Classes: joining them, keeping them, and the teacher's table."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import Response

from grader.site import class_pages
from grader.site.class_pages import Closer, Table, Task, is_over
from grader.site.listing import status_of
from grader.site.looks import look_of
from grader.site.routes.accounts import public_of
from grader.site.routes.common import (
    desk_of,
    go,
    learner_of,
    limited,
    now,
    page,
    require,
    require_public,
)
from grader.site.store import Assignment, Course
from grader.site.values import href

router = APIRouter(dependencies=[Depends(require_public)])
Text = Annotated[str, Form()]
NAME_LENGTH = 120
_ATTEMPTS = 50  # of a learner at a problem, beside the table


def course_of(request: Request, number: int) -> Course:
    """The class of an address, or 404 for whoever neither teaches nor attends it."""
    learner, classes = learner_of(request), desk_of(request).store.classes
    found = classes.by_id(number)
    if found is None or not (found.owner == learner or classes.is_member(number, learner)):
        raise HTTPException(404, "There is no such class.")
    return found


def taught(request: Request, number: int) -> Course:
    """The class of an address, or 404 for whoever does not teach it."""
    found = course_of(request, number)
    if found.owner != require(request, "author"):
        raise HTTPException(404, "There is no such class.")
    return found


def assignment_of(request: Request, course: Course, number: int) -> Assignment:
    """An assignment of a class, or 404."""
    found = desk_of(request).store.classes.assignment(number)
    if found is None or found.course != course.id:
        raise HTTPException(404, "There is no such assignment.")
    return found


@router.get("/classes")
def classes(request: Request, code: str = "") -> Response:
    """Classes one teaches and attends; `?code=` is a link to join by."""
    return page(request, _classes_page(request, code))


def _classes_page(request: Request, code: str = "", complaint: str = "") -> str:
    learner, known = learner_of(request), desk_of(request).store.classes
    tasks = [
        _task(request, assignment, course)
        for course, assignment in known.of_learner(learner, now())
    ]
    return class_pages.classes_page(
        look_of(request),
        known.of_owner(learner),
        known.of_member(learner),
        [task for task in tasks if task.solved < len(task.problems)],
        code,
        complaint,
    )


def _task(request: Request, assignment: Assignment, course: Course | None = None) -> Task:
    desk, language = desk_of(request), look_of(request).language
    progress = desk.store.progress(learner_of(request))
    titles = desk.shelf.titles(language)
    known = [slug for slug in assignment.slugs if slug in titles]
    problems = [(slug, titles[slug], status_of(slug, progress)) for slug in known]
    return Task(assignment, problems, is_over(assignment, now()), course)


@router.post("/classes")
def make(request: Request, name: Text) -> Response:
    """Make a class."""
    learner = require(request, "author")
    made = desk_of(request).store.classes.add(learner, _named(name), now())
    return go(href("classes", str(made.id)))


def _named(name: str) -> str:
    chosen = " ".join(name.split())[:NAME_LENGTH]
    if not chosen:
        raise HTTPException(422, "A name is missing.")
    return chosen


@router.post("/classes/join")
def join(request: Request, code: Text) -> Response:
    """Join a class by its code."""
    learner = learner_of(request)
    limited(request, "join")
    found = desk_of(request).store.classes.join(code, learner, now())
    if found is None:
        return page(request, _classes_page(request, code, "join"), 422)
    return go(href("classes", str(found.id)))


@router.get("/classes/{number}")
def one_class(
    request: Request,
    number: int,
    assignment: int | None = None,
    learner: int | None = None,
    slug: str | None = None,
) -> Response:
    """A class: what is to be done, or for its teacher the table."""
    course, look = course_of(request, number), look_of(request)
    known = desk_of(request).store.classes.assignments(number)
    if course.owner != learner_of(request):
        moment = now()
        tasks = [_task(request, each) for each in known if not each.opens or each.opens <= moment]
        return page(request, class_pages.class_page(look, course, tasks))
    chosen = assignment_of(request, course, assignment) if assignment is not None else None
    table = _table(request, course, known, chosen)
    closer = _closer(request, table, learner, slug)
    text = class_pages.taught_page(
        look, course, known, chosen, table, closer, public_of(request).url
    )
    return page(request, text)


def _table(
    request: Request, course: Course, known: list[Assignment], chosen: Assignment | None
) -> Table:
    desk = desk_of(request)
    titles = desk.shelf.titles(look_of(request).language)
    slugs = dict.fromkeys(slug for each in known for slug in each.slugs)
    shown = chosen.slugs if chosen else tuple(slugs)
    cells = desk.store.classes.table(course.id, chosen.id if chosen else None)
    return Table(
        desk.store.classes.members(course.id),
        {slug: titles.get(slug, slug) for slug in shown},
        {(cell.learner, cell.slug): cell for cell in cells},
    )


def _closer(request: Request, table: Table, learner: int | None, slug: str | None) -> Closer | None:
    member = next((each for each in table.members if each.learner == learner), None)
    if member is None or slug is None or slug not in table.titles:
        return None
    attempts = desk_of(request).store.classes.attempts(member.learner, slug, _ATTEMPTS)
    return Closer(member, slug, attempts)


@router.get("/classes/{number}/table.csv")
def table_csv(request: Request, number: int, assignment: int | None = None) -> Response:
    """The table for a gradebook."""
    course = taught(request, number)
    chosen = assignment_of(request, course, assignment) if assignment is not None else None
    known = desk_of(request).store.classes.assignments(number)
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerows(
        _table(request, course, known, chosen).csv_rows()
    )
    headers = {"content-disposition": f'attachment; filename="class-{number}.csv"'}
    return Response(
        buffer.getvalue().encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers
    )


@router.post("/classes/{number}/name")
def rename(request: Request, number: int, name: Text) -> Response:
    """Call a class otherwise."""
    desk_of(request).store.classes.rename(taught(request, number).id, _named(name))
    return go(href("classes", str(number)))


@router.post("/classes/{number}/code")
def new_code(request: Request, number: int) -> Response:
    """A fresh code to join by; the old one is of no use any more."""
    desk_of(request).store.classes.new_code(taught(request, number).id)
    return go(href("classes", str(number)))


@router.post("/classes/{number}/close")
def close(request: Request, number: int) -> Response:
    """Let nobody join any more."""
    desk_of(request).store.classes.close(taught(request, number).id)
    return go(href("classes", str(number)))


@router.post("/classes/{number}/archive")
def archive(request: Request, number: int, archived: Annotated[bool, Form()]) -> Response:
    """Put a class away, or take it out again."""
    desk_of(request).store.classes.archive(taught(request, number).id, archived)
    return go(href("classes", str(number)))


@router.post("/classes/{number}/leave")
def leave(request: Request, number: int) -> Response:
    """Attend no more."""
    desk_of(request).store.classes.leave(course_of(request, number).id, learner_of(request))
    return go("/classes")


@router.post("/classes/{number}/remove")
def remove(request: Request, number: int, learner: Annotated[int, Form()]) -> Response:
    """Have a learner attend no more."""
    desk_of(request).store.classes.leave(taught(request, number).id, learner)
    return go(href("classes", str(number)))


@router.get("/classes/{number}/delete")
def ask_to_delete(request: Request, number: int) -> Response:
    """Ask once more."""
    course = taught(request, number)
    return page(request, class_pages.delete_class_page(look_of(request), course))


@router.post("/classes/{number}/delete")
def delete(request: Request, number: int) -> Response:
    """Delete a class; what its learners submitted stays theirs."""
    desk_of(request).store.classes.delete(taught(request, number).id)
    return go("/classes")
