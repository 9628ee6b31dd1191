"""Every page of accounts and classes, from plain values, in a shape that shows most of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from grader.site import account_pages, class_pages
from grader.site.public import Provider
from grader.site.store import (
    Account,
    Assignment,
    CaseAttempt,
    Cell,
    Course,
    Identity,
    Member,
    Notice,
    QueueState,
    Session,
    Token,
)
from grader.site.values import Look
from grader.site.visitors import Visitor

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ZONE = timezone(timedelta(hours=7), "Asia/Ho_Chi_Minh")
ID = "0123456789abcdef" * 2
ANN = Visitor(1, "ann", "Ann <b>", "admin", "session", 3)
SCHOOL = Provider("school", "The school", "id", "secret", "https://a", "https://b", "https://c")


def look(language: str, visitor: Visitor = ANN, path: str = "/account") -> Look:
    """A public site, for somebody."""
    return Look(language, None, path, visitor, public=True, may_register=True, notices=2)


def _account(login: str = "ann", *, disabled: bool = False) -> Account:
    return Account(1, login, f"Name of {login}", "admin", NOW, disabled, True)


def _own() -> account_pages.Own:
    sessions = [Session(n, 1, NOW, NOW, NOW, f"Agent {n} <i>") for n in (3, 4)]
    tokens = [Token(1, 1, "laptop", NOW, NOW, None), Token(2, 1, "ci", NOW, None, NOW)]
    linked = Identity("school", "s", 1, NOW)
    return account_pages.Own(_account(), sessions, tokens, [linked], [SCHOOL])


def _table(slugs: tuple[str, ...]) -> class_pages.Table:
    people = [Member(n, f"m{n}", f"Member {n}", NOW) for n in (1, 2)]
    late = Cell(1, slugs[0], True, 2, 5, 5, NOW, NOW, "accepted", False)
    tried = Cell(2, slugs[0], False, 1, 0, 5, None, NOW, "time_limit_exceeded", False)
    waits = Cell(2, slugs[1], False, 1, 0, 0, None, NOW, None, False)
    cells = {(cell.learner, cell.slug): cell for cell in (late, tried, waits)}
    return class_pages.Table(people, {slug: f"Title of {slug}" for slug in slugs}, cells)


def people_pages(language: str, slugs: tuple[str, ...]) -> dict[str, str]:
    """Pages by name.

    Args:
        slugs: of problems there are.
    """
    here, nobody = look(language), look(language, Visitor(), "/sign-in")
    course = Course(5, 1, "Deep <learning>", "ACDEFGHJ", NOW, True)
    task = Assignment(6, 5, "Week 1", slugs, NOW, NOW, NOW)
    todo = class_pages.Task(
        task, [(slugs[0], "One", "solved"), (slugs[1], "Two", "untouched")], True, course
    )
    table = _table(slugs)
    cases = (("one", "accepted"), ("<two>", "wrong_answer"), ("three", "skipped"))
    attempts = [CaseAttempt(NOW, "wrong_answer", 1, 3, 2.0, cases)]
    attempts.append(CaseAttempt(NOW, None, None, None, None, ()))
    closer = class_pages.Closer(table.members[1], slugs[0], attempts)
    url = "https://judge.example.org"
    problems = [(slug, f"Title of {slug}", "Easy") for slug in slugs]
    given = {"title": "T", "slugs": slugs[0], "opens": "", "due": "soon"}
    notice = Notice(1, 1, slugs[0], ID, "accepted", "wrong_answer", NOW)
    row = account_pages.ProblemRow(slugs[0], "One", 3, 2)
    known = [_account(), _account("bob", disabled=True)]
    return {
        "sign in": account_pages.sign_in_page(
            nobody, f"/problems/{slugs[0]}", "x", "wrong", [SCHOOL], 17
        ),
        "sign up": account_pages.sign_up_page(nobody, "/", "<x>", "n", "login.taken"),
        "account": account_pages.account_page(here, _own(), 3, url, "password.old", "tj_x"),
        "delete account": account_pages.delete_page(here, "delete.owns"),
        "set password": account_pages.password_page(nobody, "ticket", "link.used"),
        "admin": account_pages.admin_page(here, "b", known, "bob", ("bob", f"{url}/password/x")),
        "admin none": account_pages.admin_page(here, "b", [], None, None),
        "admin problems": account_pages.problems_page(
            here, [row], QueueState(1, 2, 3.0), {"a.json": "<no>"}, 4
        ),
        "notices": account_pages.notices_page(here, [notice], {}),
        "classes": class_pages.classes_page(here, [course], [course], [todo], "ABC", "join"),
        "classes none": class_pages.classes_page(here, [], [], []),
        "class": class_pages.class_page(here, course, [todo]),
        "class empty": class_pages.class_page(here, course, []),
        "table": class_pages.taught_page(here, course, [task], task, table, closer, url),
        "table of all": class_pages.taught_page(here, course, [task], None, table, None, url),
        "table empty": class_pages.taught_page(
            here, course, [], None, class_pages.Table([], {}, {}), None, url
        ),
        "assignment": class_pages.assignment_page(here, course, task, problems, ZONE),
        "assignment new": class_pages.assignment_page(
            here, course, None, problems, ZONE, given, "assignment.time"
        ),
        "delete class": class_pages.delete_class_page(here, course),
    }
