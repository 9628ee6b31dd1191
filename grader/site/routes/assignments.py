"""Assignments of a class: setting, changing and taking them back."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import Response

from grader.site import class_pages
from grader.site.looks import look_of
from grader.site.routes.classes import NAME_LENGTH, Text, assignment_of, taught
from grader.site.routes.common import desk_of, go, now, page, require_public
from grader.site.shelf import text_of
from grader.site.store import Assignment, Course
from grader.site.values import href
from grader.site.zones import named_zone, read_local, zone_of

router = APIRouter(dependencies=[Depends(require_public)])


@router.get("/classes/{number}/assignments/new")
def new_assignment(request: Request, number: int) -> Response:
    """The form of a new assignment."""
    return page(request, _assignment_page(request, taught(request, number), None))


@router.get("/classes/{number}/assignments/{assignment}")
def edit_assignment(request: Request, number: int, assignment: int) -> Response:
    """The form of an assignment."""
    course = taught(request, number)
    return page(
        request, _assignment_page(request, course, assignment_of(request, course, assignment))
    )


def _assignment_page(
    request: Request,
    course: Course,
    assignment: Assignment | None,
    given: dict[str, str] | None = None,
    complaint: str = "",
) -> str:
    look = look_of(request)
    problems = [
        (problem.slug, text_of(problem, "title", look.language), problem.difficulty)
        for problem in desk_of(request).shelf
    ]
    return class_pages.assignment_page(
        look, course, assignment, problems, zone_of(request), given, complaint
    )


@router.post("/classes/{number}/assignments/new")
def add_assignment(
    request: Request,
    number: int,
    slugs: Annotated[list[str] | None, Form()] = None,
    title: Text = "",
    opens: Text = "",
    due: Text = "",
    zone: Text = "",
) -> Response:
    """Set an assignment."""
    return _keep(request, taught(request, number), None, slugs or [], title, (opens, due), zone)


@router.post("/classes/{number}/assignments/{assignment}")
def change_assignment(
    request: Request,
    number: int,
    assignment: int,
    slugs: Annotated[list[str] | None, Form()] = None,
    title: Text = "",
    opens: Text = "",
    due: Text = "",
    zone: Text = "",
) -> Response:
    """Change an assignment."""
    course = taught(request, number)
    found = assignment_of(request, course, assignment)
    return _keep(request, course, found, slugs or [], title, (opens, due), zone)


def _keep(
    request: Request,
    course: Course,
    assignment: Assignment | None,
    slugs: list[str],
    title: str,
    times: tuple[str, str],
    zone: str,
) -> Response:
    desk = desk_of(request)
    chosen = [slug for slug in dict.fromkeys(slugs) if desk.shelf.find(slug)]
    named = " ".join(title.split())[:NAME_LENGTH]
    given = {"title": named, "slugs": " ".join(chosen), "opens": times[0], "due": times[1]}
    moments = _moments(request, times, zone)
    complaint = _fault(chosen, named, moments)
    if complaint or moments is None:
        text = _assignment_page(request, course, assignment, given, complaint)
        return page(request, text, 422)
    opens, due = moments
    if assignment is None:
        made = desk.store.classes.add_assignment(course.id, named, tuple(chosen), opens, due, now())
        return go(href("classes", str(course.id), assignment=str(made.id)))
    desk.store.classes.change_assignment(assignment.id, named, tuple(chosen), opens, due)
    return go(href("classes", str(course.id), assignment=str(assignment.id)))


def _moments(
    request: Request, times: tuple[str, str], zone: str
) -> tuple[datetime | None, datetime | None] | None:
    where = named_zone(zone) or zone_of(request)
    try:
        return read_local(times[0], where), read_local(times[1], where)
    except (ValueError, OverflowError):
        return None


def _fault(
    slugs: list[str], title: str, moments: tuple[datetime | None, datetime | None] | None
) -> str:
    """Key of the words that say what is wrong, "" for nothing."""
    if not title:
        return "assignment.title"
    if not slugs:
        return "assignment.problems"
    if moments is None:
        return "assignment.time"
    opens, due = moments
    return "assignment.order" if opens and due and opens >= due else ""


@router.post("/classes/{number}/assignments/{assignment}/delete")
def delete_assignment(request: Request, number: int, assignment: int) -> Response:
    """Take an assignment back; what was submitted stays."""
    course = taught(request, number)
    desk_of(request).store.classes.delete_assignment(assignment_of(request, course, assignment).id)
    return go(href("classes", str(course.id)))
