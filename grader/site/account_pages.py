"""Pages of accounts and of those who run the site, as pure functions of plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.site.rendering import page
from grader.site.values import Look
from grader.site.wording import word

if TYPE_CHECKING:
    from grader.site.public import Provider
    from grader.site.store import Account, Identity, Notice, QueueState, Session, Token


@dataclass(frozen=True)
class Own:
    """What an account has."""

    account: Account
    sessions: Sequence[Session]
    tokens: Sequence[Token]
    identities: Sequence[Identity]
    providers: Sequence[Provider]


@dataclass(frozen=True)
class ProblemRow:
    """How a problem fares."""

    slug: str
    title: str
    attempts: int
    accepted: int


def _complaint(look: Look, key: str) -> str:
    return word(f"f.{key}", look.language) if key else ""


def sign_in_page(
    look: Look,
    next_path: str,
    login: str,
    complaint: str,
    providers: Sequence[Provider],
    problems: int,
) -> str:
    """The door.

    Args:
        next_path: where to go on.
        complaint: key of the words that say why one did not get in, "" for none.
        problems: how many there are.
    """
    return page(
        "sign_in.html",
        look,
        next_path=next_path,
        login=login,
        complaint=_complaint(look, complaint),
        providers=providers,
        problems=problems,
    )


def sign_up_page(look: Look, next_path: str, login: str, name: str, complaint: str) -> str:
    """The door for newcomers."""
    return page(
        "sign_up.html",
        look,
        next_path=next_path,
        login=login,
        name=name,
        complaint=_complaint(look, complaint),
    )


def account_page(
    look: Look, own: Own, session: int | None, url: str, complaint: str, token: str
) -> str:
    """What an account has.

    Args:
        session: number of the one that asks.
        url: of the site.
        token: one just made, "" for none.
    """
    linked = {each.provider for each in own.identities}
    return page(
        "account.html",
        look,
        own=own,
        session=session,
        url=url,
        linked=linked,
        complaint=_complaint(look, complaint),
        token=token,
    )


def delete_page(look: Look, complaint: str) -> str:
    """Asks again before an account goes."""
    return page("delete_account.html", look, complaint=_complaint(look, complaint))


def password_page(look: Look, ticket: str, complaint: str) -> str:
    """Where a password link leads."""
    return page("set_password.html", look, ticket=ticket, complaint=_complaint(look, complaint))


def admin_page(
    look: Look,
    query: str,
    accounts: Sequence[Account],
    more: str | None,
    fresh: tuple[str, str] | None,
) -> str:
    """Accounts, for those who run the site.

    Args:
        query: what was searched.
        more: login after which there are more, None if there are not.
        fresh: login and address of a password link just made.
    """
    return page("admin.html", look, query=query, accounts=accounts, more=more, fresh=fresh)


def problems_page(
    look: Look,
    rows: Sequence[ProblemRow],
    queue: QueueState,
    faults: Mapping[str, str],
    rejudged: int | None,
) -> str:
    """How the problems fare, for authors.

    Args:
        faults: why a file was refused, by its name.
        rejudged: how many submissions were put into the queue just now, None if that was not asked.
    """
    return page(
        "admin_problems.html", look, rows=rows, queue=queue, faults=faults, rejudged=rejudged
    )


def notices_page(look: Look, notices: Sequence[Notice], titles: Mapping[str, str]) -> str:
    """Verdicts that changed."""
    return page("notices.html", look, notices=notices, titles=titles)
