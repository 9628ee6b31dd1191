"""For those who run the site: accounts, how the problems fare, judging anew."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import Response

from grader.site import account_pages
from grader.site.looks import look_of
from grader.site.routes.accounts import public_of
from grader.site.routes.common import (
    desk_of,
    go,
    learner_of,
    now,
    page,
    problem_of,
    require,
    require_public,
)
from grader.site.shelf import text_of
from grader.site.store import Account, Role
from grader.site.values import href
from grader.site.visitors import digest_of, new_ticket

router = APIRouter(dependencies=[Depends(require_public)])
_PAGE = 50
_LINK_LASTS = timedelta(days=1)
Number = Annotated[int, Form()]


@router.get("/admin")
def accounts(request: Request, q: str = "", after: str | None = None) -> Response:
    """Find an account."""
    require(request, "admin")
    return page(request, _accounts_page(request, q, after))


def _accounts_page(
    request: Request, query: str, after: str | None, fresh: tuple[str, str] | None = None
) -> str:
    found = desk_of(request).store.accounts.search(query, after, _PAGE + 1)
    more = found[_PAGE - 1].login if len(found) > _PAGE else None
    return account_pages.admin_page(look_of(request), query, found[:_PAGE], more, fresh)


def _account(request: Request, number: int) -> Account:
    require(request, "admin")
    found = desk_of(request).store.accounts.by_id(number)
    if found is None:
        raise HTTPException(404, "There is no such account.")
    return found


@router.post("/admin/role")
def set_role(request: Request, account: Number, role: Annotated[Role, Form()]) -> Response:
    """Give a role; nobody takes it from themselves, so that one admin is always left."""
    found = _account(request, account)
    if found.id == learner_of(request) and role != "admin":
        raise HTTPException(403, "Another admin must do that.")
    desk_of(request).store.accounts.set_role(found.id, role)
    return go(href("admin", q=found.login))


@router.post("/admin/disable")
def disable(request: Request, account: Number) -> Response:
    """Shut an account; its sessions end."""
    found = _account(request, account)
    if found.id == learner_of(request):
        raise HTTPException(403, "Another admin must do that.")
    desk_of(request).store.accounts.set_disabled(found.id, True)
    return go(href("admin", q=found.login))


@router.post("/admin/enable")
def enable(request: Request, account: Number) -> Response:
    """Open it again."""
    found = _account(request, account)
    desk_of(request).store.accounts.set_disabled(found.id, False)
    return go(href("admin", q=found.login))


@router.post("/admin/link")
def password_link(request: Request, account: Number) -> Response:
    """Make a link for somebody who forgot the password."""
    found, public, ticket = _account(request, account), public_of(request), new_ticket()
    digest = digest_of(public.secret, "link", ticket)
    desk_of(request).store.accounts.add_password_link(found.id, digest, now(), _LINK_LASTS)
    fresh = (found.login, f"{public.url}{href('password', ticket)}")
    return page(request, _accounts_page(request, found.login, None, fresh))


@router.get("/admin/problems")
def problems(request: Request) -> Response:
    """How the problems fare, and which files were refused."""
    require(request, "author")
    return page(request, _problems_page(request, None))


def _problems_page(request: Request, rejudged: int | None) -> str:
    desk, look = desk_of(request), look_of(request)
    counts = desk.store.verdict_counts()
    rows = [
        account_pages.ProblemRow(
            problem.slug,
            text_of(problem, "title", look.language),
            sum(counts.get(problem.slug, {}).values()),
            counts.get(problem.slug, {}).get("accepted", 0),
        )
        for problem in desk.shelf
    ]
    faults = {path.name: text for path, text in desk.shelf.faults.items()}
    return account_pages.problems_page(look, rows, desk.store.queue_state(now()), faults, rejudged)


@router.post("/admin/reload")
def reload(request: Request) -> Response:
    """Read the problems again now."""
    require(request, "author")
    desk_of(request).shelf.refresh()
    return go("/admin/problems")


@router.post("/admin/rejudge")
def rejudge(request: Request, slug: Annotated[str, Form()]) -> Response:
    """Judge anew what was judged by an earlier version of a problem."""
    require(request, "author")
    desk = desk_of(request)
    problem = problem_of(desk, slug)
    count = desk.store.rejudge(problem.slug, problem.digest)
    desk.dispatcher.wake()
    return page(request, _problems_page(request, count))
