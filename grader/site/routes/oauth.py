"""To an account elsewhere and back."""

from __future__ import annotations

import re
from itertools import count

from fastapi import APIRouter, Depends, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from grader.site import account_pages
from grader.site.elsewhere import (
    COOKIE,
    LASTS_S,
    NotConfirmed,
    Person,
    come_back,
    leave,
    packed,
    unpacked,
)
from grader.site.logs import log
from grader.site.looks import look_of
from grader.site.public import Provider
from grader.site.routes.accounts import public_of, signed_in
from grader.site.routes.common import desk_of, limited, now, own_path, page, require_public
from grader.site.store import Account, BadLogin, IdentityTaken, LoginTaken
from grader.site.values import href
from grader.site.visitors import visitor_of

router = APIRouter(dependencies=[Depends(require_public)])


@router.get("/oauth/{name}")
def away(request: Request, name: str, next: str = "/") -> Response:
    """Send somebody to a provider."""
    limited(request, "sign-up", "")
    provider = _provider(request, name)
    address, journey = leave(provider, _back(request, provider), own_path(next))
    answer = RedirectResponse(address, 303)
    answer.set_cookie(
        COOKIE,
        packed(public_of(request).secret, journey),
        max_age=LASTS_S,
        path="/",
        secure=True,
        httponly=True,
        samesite="lax",
    )
    return answer


@router.get("/oauth/{name}/back")
def back(request: Request, name: str, state: str = "", code: str = "") -> Response:
    """Take in who comes back; a newcomer gets an account where people may make one."""
    limited(request, "sign-up", "")
    provider, public = _provider(request, name), public_of(request)
    try:
        journey = unpacked(public.secret, request.cookies.get(COOKIE, ""))
        person = come_back(provider, _back(request, provider), journey, state, code)
        account = _account_of(request, provider, person)
    except NotConfirmed as error:
        log.warning("not confirmed", provider=provider.name, error=str(error))
        answer = _door(request, "elsewhere")
    except IdentityTaken:
        answer = _door(request, "identity.taken")
    else:
        answer = signed_in(request, account.id, journey.next_path)
    answer.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")
    return answer


def _provider(request: Request, name: str) -> Provider:
    provider = public_of(request).provider(name)
    if provider is None:
        raise HTTPException(404, "There is no such way to sign in.")
    return provider


def _back(request: Request, provider: Provider) -> str:
    return f"{public_of(request).url}{href('oauth', provider.name, 'back')}"


def _door(request: Request, complaint: str) -> Response:
    look, providers = look_of(request), public_of(request).providers
    problems = len(list(desk_of(request).shelf))
    text = account_pages.sign_in_page(look, "/", "", complaint, providers, problems)
    return page(request, text, 403)


def _account_of(request: Request, provider: Provider, person: Person) -> Account:
    """The account of a person; linked to who is signed in, or made, at the first visit."""
    accounts, visitor = desk_of(request).store.accounts, visitor_of(request)
    known = accounts.identity(provider.name, person.subject)
    if known is None:
        if visitor.id is not None:
            known = accounts.by_id(visitor.id)
        elif public_of(request).registration == "open":
            known = _made(request, person)
        else:
            raise HTTPException(403, "Accounts of this site are made by those who run it.")
        assert known is not None
        accounts.link(provider.name, person.subject, known.id, now())
    elif visitor.id not in (None, known.id):
        raise IdentityTaken(provider.name)
    if known.disabled:
        raise HTTPException(403, "This account is disabled.")
    return known


def _made(request: Request, person: Person) -> Account:
    """A new account, called as elsewhere if that is free."""
    accounts = desk_of(request).store.accounts
    wish = re.sub(r"[^a-z0-9._-]+", "-", person.login.partition("@")[0].casefold())
    wish = wish.strip("._-")[:32]
    wish = wish if len(wish) >= 2 else "learner"
    for number in count(1):
        login = wish if number == 1 else f"{wish}-{number}"
        try:
            return accounts.add(login, person.name or login, None, "learner", now())
        except LoginTaken:
            continue
        except BadLogin:
            wish = "learner"
    raise AssertionError("unreachable")
