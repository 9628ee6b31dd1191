"""Accounts: sign-up, sign-in, and what people set of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, TypeVar

from anyio import to_thread
from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from grader.site import account_pages
from grader.site.looks import look_of
from grader.site.passwords import BadPassword, checked_password, hash_password, is_right
from grader.site.public import Public
from grader.site.routes.common import (
    YEAR_S,
    desk_of,
    go,
    learner_of,
    limited,
    now,
    own_path,
    page,
    require_public,
)
from grader.site.store import Account, BadLogin, LastWayIn, LoginTaken, OwnsCourses
from grader.site.visitors import COOKIE, digest_of, new_ticket, visitor_of

router = APIRouter(dependencies=[Depends(require_public)])
Text = Annotated[str, Form()]
_IDLE = timedelta(days=30)  # a session that nobody uses ends
_NAME_LENGTH = 80
_AGENT_LENGTH = 200
T = TypeVar("T")


def public_of(request: Request) -> Public:
    """The settings of a site with accounts."""
    public = desk_of(request).settings.public
    assert public is not None
    return public


async def _hashed(request: Request, work: Callable[[], T]) -> T:
    """Do what takes a quarter of a second of a core, in turn."""
    return await to_thread.run_sync(work, limiter=desk_of(request).hashing)


def signed_in(request: Request, learner: int, path: str) -> Response:
    """Open a session for a learner and send the browser on."""
    desk, visitor = desk_of(request), visitor_of(request)
    if visitor.id is not None and visitor.session is not None:
        desk.store.tickets.end_session(visitor.id, visitor.session)
    ticket = new_ticket()
    desk.store.tickets.open_session(
        learner,
        digest_of(public_of(request).secret, "session", ticket),
        now(),
        _IDLE,
        request.headers.get("user-agent", "")[:_AGENT_LENGTH],
    )
    answer = go(own_path(path))
    answer.set_cookie(
        COOKIE, ticket, max_age=YEAR_S, path="/", secure=True, httponly=True, samesite="lax"
    )
    return answer


@router.get("/sign-in")
def ask_to_sign_in(request: Request, next: str = "/") -> Response:
    """The door."""
    if visitor_of(request).id is not None:
        return go(own_path(next))
    return _sign_in_page(request, next)


def _sign_in_page(
    request: Request, path: str, login: str = "", complaint: str = "", status: int = 200
) -> Response:
    look, desk = look_of(request), desk_of(request)
    providers = public_of(request).providers
    problems = len(list(desk.shelf))
    text = account_pages.sign_in_page(look, own_path(path), login, complaint, providers, problems)
    return page(request, text, status)


@router.post("/sign-in")
async def sign_in(request: Request, login: Text, password: Text, next: Text = "/") -> Response:
    """Open a session for whoever knows the password."""
    found = await run_in_threadpool(_find, request, login)
    account, stored = found if found is not None else (None, None)
    right = await _hashed(request, lambda: is_right(password, stored))
    if account is None or stored is None or not right or account.disabled:
        return await run_in_threadpool(_sign_in_page, request, next, login, "wrong", 401)
    return await run_in_threadpool(signed_in, request, account.id, next)


def _find(request: Request, login: str) -> tuple[Account, str | None] | None:
    limited(request, "sign-in", login.strip().casefold())
    accounts = desk_of(request).store.accounts
    account = accounts.find(login)
    return None if account is None else (account, accounts.password_hash_of(account.id))


@router.get("/sign-up")
def ask_to_sign_up(request: Request, next: str = "/") -> Response:
    """The door for newcomers."""
    _require_open(request)
    return page(request, account_pages.sign_up_page(look_of(request), own_path(next), "", "", ""))


def _require_open(request: Request) -> None:
    if public_of(request).registration != "open":
        raise HTTPException(403, "Accounts of this site are made by those who run it.")


@router.post("/sign-up")
async def sign_up(
    request: Request, login: Text, password: Text, name: Text = "", next: Text = "/"
) -> Response:
    """Make an account and open its first session."""
    _require_open(request)
    await run_in_threadpool(limited, request, "sign-up", "")
    login, name = login.strip(), name.strip()[:_NAME_LENGTH]
    try:
        good = checked_password(password, login)
        hashed = await _hashed(request, lambda: hash_password(good))
        account = await run_in_threadpool(
            desk_of(request).store.accounts.add, login, name or login, hashed, "learner", now()
        )
    except (BadPassword, BadLogin, LoginTaken) as error:
        look = await run_in_threadpool(look_of, request)
        text = account_pages.sign_up_page(look, own_path(next), login, name, complaint_of(error))
        return page(request, text, 422)
    return await run_in_threadpool(signed_in, request, account.id, next)


def complaint_of(error: ValueError) -> str:
    """Return the key of the words that tell a fault in a form."""
    if isinstance(error, BadPassword):
        return f"password.{error.kind}"
    return {LoginTaken: "login.taken", BadLogin: "login.bad"}.get(type(error), "wrong")


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End this session."""
    visitor = visitor_of(request)
    if visitor.id is not None and visitor.session is not None:
        desk_of(request).store.tickets.end_session(visitor.id, visitor.session)
    answer = go("/")
    answer.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
    return answer


@router.get("/account")
def account(request: Request) -> Response:
    """What an account has: name, password, sessions, tokens, other ways in."""
    return page(request, _account_page(request))


def _account_page(request: Request, *, complaint: str = "", token: str = "") -> str:
    learner, store = learner_of(request), desk_of(request).store
    found = store.accounts.by_id(learner)
    assert found is not None
    return account_pages.account_page(
        look_of(request),
        account_pages.Own(
            account=found,
            sessions=store.tickets.sessions(learner, now()),
            tokens=store.tickets.tokens(learner),
            identities=store.accounts.identities(learner),
            providers=public_of(request).providers,
        ),
        visitor_of(request).session,
        public_of(request).url,
        complaint,
        token,
    )


@router.post("/account/name")
def rename(request: Request, name: Text = "") -> Response:
    """Change the name that is shown."""
    learner = learner_of(request)
    chosen = name.strip()[:_NAME_LENGTH] or visitor_of(request).login
    desk_of(request).store.accounts.set_name(learner, chosen)
    return go("/account")


@router.post("/account/password")
async def change_password(request: Request, new: Text, old: Text = "") -> Response:
    """Change the password; every other session ends."""
    learner, stored = await run_in_threadpool(_own_password, request)
    if stored is not None and not await _hashed(request, lambda: is_right(old, stored)):
        return await run_in_threadpool(_refused, request, "password.old")
    try:
        good = checked_password(new, (await run_in_threadpool(visitor_of, request)).login)
    except BadPassword as error:
        return await run_in_threadpool(_refused, request, complaint_of(error))
    hashed = await _hashed(request, lambda: hash_password(good))
    accounts = desk_of(request).store.accounts
    await run_in_threadpool(accounts.set_password, learner, hashed)
    return await run_in_threadpool(signed_in, request, learner, "/account")


def _own_password(request: Request) -> tuple[int, str | None]:
    learner = learner_of(request)
    limited(request, "sign-in")
    return learner, desk_of(request).store.accounts.password_hash_of(learner)


def _refused(request: Request, complaint: str) -> Response:
    return page(request, _account_page(request, complaint=complaint), 422)


@router.post("/account/sessions/end")
def end_sessions(request: Request, session: Annotated[int | None, Form()] = None) -> Response:
    """End one session, or all but this one."""
    learner, tickets = learner_of(request), desk_of(request).store.tickets
    if session is None:
        tickets.end_sessions(learner, but=visitor_of(request).session)
    else:
        tickets.end_session(learner, session)
    return go("/account#sessions")


@router.post("/account/tokens")
def make_token(
    request: Request, name: Text = "", days: Annotated[int, Form(ge=0, le=3650)] = 365
) -> Response:
    """Make a token for the API; it is shown once.

    Args:
        days: after which it ends; 0 for never.
    """
    learner = learner_of(request)
    ticket = f"tj_{new_ticket()}"
    desk_of(request).store.tickets.add_token(
        learner,
        name.strip()[:_NAME_LENGTH] or "token",
        digest_of(public_of(request).secret, "token", ticket),
        now(),
        timedelta(days=days) if days else None,
    )
    return page(request, _account_page(request, token=ticket))


@router.post("/account/tokens/revoke")
def revoke_token(request: Request, token: Annotated[int, Form()]) -> Response:
    """End a token."""
    desk_of(request).store.tickets.revoke_token(learner_of(request), token)
    return go("/account#tokens")


@router.post("/account/unlink")
def unlink(request: Request, provider: Text) -> Response:
    """Let no account from elsewhere open this one any more."""
    try:
        desk_of(request).store.accounts.unlink(learner_of(request), provider)
    except LastWayIn:
        return _refused(request, "unlink.last")
    return go("/account")


@router.get("/account/delete")
def ask_to_delete(request: Request) -> Response:
    """Ask once more."""
    learner_of(request)
    return page(request, account_pages.delete_page(look_of(request), ""))


@router.post("/account/delete")
def delete(request: Request, login: Text = "") -> Response:
    """Delete the account with all that belongs to it, once its login is typed."""
    learner, visitor = learner_of(request), visitor_of(request)
    try:
        if login.strip().casefold() != visitor.login:
            return page(request, account_pages.delete_page(look_of(request), "delete.wrong"), 422)
        desk_of(request).store.accounts.delete(learner)
    except OwnsCourses:
        return page(request, account_pages.delete_page(look_of(request), "delete.owns"), 422)
    answer = go("/")
    answer.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
    return answer


@router.get("/password/{ticket}")
def ask_for_password(request: Request, ticket: str) -> Response:
    """Where a link leads that an admin made for somebody who forgot the password."""
    return page(request, account_pages.password_page(look_of(request), ticket, ""))


@router.post("/password/{ticket}")
async def use_link(request: Request, ticket: str, new: Text) -> Response:
    """Set a password by a link, which then is used up."""
    await run_in_threadpool(limited, request, "sign-in", "")
    try:
        good = checked_password(new, "")
    except BadPassword as error:
        return await run_in_threadpool(_link_refused, request, ticket, complaint_of(error))
    hashed = await _hashed(request, lambda: hash_password(good))
    digest = digest_of(public_of(request).secret, "link", ticket)
    accounts = desk_of(request).store.accounts
    account = await run_in_threadpool(accounts.use_password_link, digest, hashed, now())
    if account is None:
        return await run_in_threadpool(_link_refused, request, ticket, "link.used")
    return await run_in_threadpool(signed_in, request, account.id, "/")


def _link_refused(request: Request, ticket: str, complaint: str) -> Response:
    return page(request, account_pages.password_page(look_of(request), ticket, complaint), 422)
