"""Who asks: nobody, the one learner of a local site, or an account with a session or a token."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from starlette.requests import Request

    from grader.site.app import Desk
    from grader.site.store import Account

COOKIE = "__Host-session"  # browsers take such a one from this very host alone, over HTTPS
ROLES = ("learner", "author", "admin")

Way = Literal["nobody", "local", "session", "token"]


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    Attributes:
        id: of the learner in the store; None for nobody.
        way: how they are known. What comes with a token comes from no browser.
        session: number of the session, where there is one.
    """

    id: int | None = None
    login: str = ""
    name: str = ""
    role: str = "learner"
    way: Way = "nobody"
    session: int | None = None

    def may(self, role: str) -> bool:
        """Whether they have a role, or one above it."""
        return self.id is not None and ROLES.index(self.role) >= ROLES.index(role)


NOBODY = Visitor()
Purpose = Literal["session", "token", "link", "oauth"]


def new_ticket() -> str:
    """Return what opens a session, an account or a link: 256 bits that cannot be guessed."""
    return secrets.token_urlsafe(32)


def digest_of(secret: bytes, purpose: Purpose, ticket: str) -> bytes:
    """Return what the store keeps of a ticket: of no use to whoever reads the store.

    Args:
        secret: the site's own, so that a row put into the database opens nothing either.
        purpose: one kind of ticket cannot stand in for another.
    """
    text = f"{purpose}\0{ticket}".encode("utf-8", "surrogateescape")
    return hmac.new(secret, text, hashlib.sha256).digest()


def bearer_of(request: Request) -> str | None:
    """Return the token in a request's header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def visitor_of(request: Request) -> Visitor:
    """Return who asks; looked up once a request. It may wait for the database."""
    known: Visitor | None = getattr(request.state, "visitor", None)
    if known is None:
        known = request.state.visitor = _look_up(request, request.app.state.desk)
    return known


def _look_up(request: Request, desk: Desk) -> Visitor:
    public = desk.settings.public
    if public is None:
        return Visitor(desk.learner, role="learner", way="local")
    now = datetime.now(UTC)
    # A token first: what carries one is no browser, and must not act as whoever's cookie it has.
    token = bearer_of(request)
    if token is not None:
        found = desk.store.tickets.token(digest_of(public.secret, "token", token), now)
        return NOBODY if found is None else _visitor(found[0], "token")
    ticket = request.cookies.get(COOKIE)
    if ticket is None:
        return NOBODY
    opened = desk.store.tickets.session(digest_of(public.secret, "session", ticket), now)
    return NOBODY if opened is None else _visitor(opened[0], "session", opened[1].id)


def _visitor(account: Account, way: Way, session: int | None = None) -> Visitor:
    return Visitor(account.id, account.login, account.name, account.role, way, session)
