"""Accounts, and what opens them: passwords, links that set one, accounts elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Literal, cast

from sqlalchemy import (
    Connection,
    Row,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from grader.site.store.desk import LOCAL_LOGIN
from grader.site.store.tables import (
    courses,
    identities,
    learners,
    password_links,
    sessions,
    submissions,
)

Role = Literal["learner", "author", "admin"]
Open = Callable[[], AbstractContextManager[Connection]]

_LOGIN = re.compile(r"[a-z0-9][a-z0-9._-]{1,39}")
_NAME_LENGTH = 80
_ROWS = 500  # read at a time where all are looked through
_of = learners.c


class BadLogin(ValueError):
    """Nobody can be called that."""


class LoginTaken(ValueError):
    """Somebody is called that."""


class IdentityTaken(ValueError):
    """The account elsewhere opens another one here."""


class LastWayIn(ValueError):
    """Nothing would open the account any more."""


class OwnsCourses(ValueError):
    """Somebody teaches classes, which would go with the account."""


@dataclass(frozen=True)
class Account:
    """A learner with a login.

    Attributes:
        login: in its one form, see `folded_login`.
    """

    id: int
    login: str
    name: str
    role: Role
    created: datetime
    disabled: bool
    has_password: bool


@dataclass(frozen=True)
class Identity:
    """An account elsewhere that opens one here."""

    provider: str
    subject: str
    learner: int
    created: datetime


def folded_login(login: str) -> str:
    """Return the one form of a login, however it is typed.

    Raises:
        BadLogin: nobody can be called that.
    """
    folded = unicodedata.normalize("NFKC", login).strip().casefold()
    if _LOGIN.fullmatch(folded) is None:
        raise BadLogin(
            "a login has 2 to 40 characters of a-z, 0-9, dot, dash and underscore, and begins with"
            f" a letter or a digit; got {login[:60]!r}"
        )
    return folded


class Accounts:
    """Accounts of a store; every method is one transaction.

    Digests are those of `visitors.digest_of`: the links themselves are never kept.
    """

    def __init__(self, read: Open, write: Open) -> None:
        self._read = read
        self._write = write

    def add(
        self, login: str, name: str, password_hash: str | None, role: Role, now: datetime
    ) -> Account:
        """Make an account.

        Raises:
            BadLogin: nobody can be called that.
            LoginTaken: somebody is.
        """
        row = {
            "login": folded_login(login),
            "name": _shown(name),
            "password": password_hash,
            "role": role,
            "created": now,
        }
        try:
            with self._write() as connection:
                made = connection.execute(insert(learners).values(row).returning(*_of)).one()
        except IntegrityError:
            raise LoginTaken(f"the login {row['login']} is taken") from None
        return _account(made)

    def find(self, login: str) -> Account | None:
        """Return the account of a login, however it is typed."""
        try:
            folded = folded_login(login)
        except BadLogin:
            return None
        return self._one(_of.login == folded)

    def by_id(self, id: int) -> Account | None:
        """Return an account."""
        return self._one(_of.id == id)

    def _one(self, condition: Any) -> Account | None:
        with self._read() as connection:
            wanted = select(learners).where(condition, _of.login != LOCAL_LOGIN)
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _account(row)

    def search(
        self, query: str = "", after_login: str | None = None, limit: int = 50
    ) -> list[Account]:
        """Return accounts by login.

        Args:
            query: part of a login or a name.
            after_login: only those that come after it.
        """
        wanted = select(learners).where(_of.login != LOCAL_LOGIN).order_by(_of.login)
        if after_login is not None:
            wanted = wanted.where(_of.login > after_login)
        part = _folded(query)
        few = wanted.execution_options(yield_per=_ROWS)
        with self._read() as connection, connection.execute(few) as rows:
            # Compared here, as no two databases fold the letters of a name alike.
            found = (row for row in rows if part in row.login or part in _folded(row.name or ""))
            return [_account(row) for row in islice(found, limit)]

    def set_name(self, id: int, name: str) -> None:
        """Change the name that is shown."""
        self._change(id, name=_shown(name))

    def set_role(self, id: int, role: Role) -> None:
        """Change the role."""
        self._change(id, role=role)

    def set_disabled(self, id: int, disabled: bool) -> None:
        """Shut or open an account; shutting ends its sessions, and its tokens open nothing."""
        with self._write() as connection:
            connection.execute(update(learners).where(_of.id == id).values(disabled=disabled))
            connection.execute(delete(sessions).where(sessions.c.learner == id))

    def _change(self, id: int, **values: Any) -> None:
        with self._write() as connection:
            connection.execute(update(learners).where(_of.id == id).values(values))

    def password_hash_of(self, id: int) -> str | None:
        """Return the hash of a password, None for an account without."""
        with self._read() as connection:
            return connection.scalar(select(_of.password).where(_of.id == id))

    def set_password(self, id: int, password_hash: str) -> None:
        """Set a password; all sessions and links of the account end."""
        with self._write() as connection:
            _set_password(connection, id, password_hash)

    def add_password_link(
        self, learner: int, digest: bytes, now: datetime, lifetime: timedelta
    ) -> None:
        """Let a link set the password, once; earlier links of the account end."""
        with self._write() as connection:
            connection.execute(delete(password_links).where(password_links.c.learner == learner))
            row = {"learner": learner, "digest": digest, "expires": now + lifetime}
            connection.execute(insert(password_links).values(row))

    def use_password_link(self, digest: bytes, password_hash: str, now: datetime) -> Account | None:
        """Set a password by a link; None if it was used or has run out."""
        link = password_links.c
        with self._write() as connection:
            used = delete(password_links).where(link.digest == digest, link.expires > now)
            learner = connection.scalar(used.returning(link.learner))
            if learner is None:
                return None
            _set_password(connection, learner, password_hash)
            wanted = select(learners).where(_of.id == learner, _of.disabled.is_(False))
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _account(row)

    def delete(self, learner: int, *, courses_too: bool = False) -> None:
        """Delete an account with all that belongs to it.

        Raises:
            OwnsCourses: and they are not to go too.
        """
        with self._write() as connection:
            owned = connection.scalars(select(courses.c.name).where(courses.c.owner == learner))
            names = owned.all()
            if names and not courses_too:
                raise OwnsCourses(f"classes would go with the account: {', '.join(names[:5])}")
            # In the order in which a report that ends locks them: the submission, then its learner.
            mine = select(submissions.c.number).where(submissions.c.learner == learner)
            connection.execute(mine.order_by(submissions.c.number).with_for_update())
            connection.execute(delete(learners).where(_of.id == learner))

    def identity(self, provider: str, subject: str) -> Account | None:
        """Return the account that an account elsewhere opens."""
        at = identities.c
        theirs = exists().where(
            at.provider == provider, at.subject == subject, at.learner == _of.id
        )
        return self._one(theirs)

    def link(self, provider: str, subject: str, learner: int, now: datetime) -> None:
        """Let an account elsewhere open one here.

        Raises:
            IdentityTaken: it opens another one.
        """
        row = {"provider": provider, "subject": subject, "learner": learner, "created": now}
        try:
            with self._write() as connection:
                connection.execute(insert(identities).values(row))
        except IntegrityError:
            raise IdentityTaken(f"that account of {provider} opens another one here") from None

    def identities(self, learner: int) -> list[Identity]:
        """Return the accounts elsewhere that open an account."""
        mine = select(identities).where(identities.c.learner == learner)
        with self._read() as connection:
            rows = connection.execute(mine.order_by(identities.c.provider))
            return [Identity(**row._mapping) for row in rows]

    def unlink(self, learner: int, provider: str) -> None:
        """Let no account of a provider open an account any more.

        Raises:
            LastWayIn: nothing else would.
        """
        mine = identities.c.learner == learner
        with self._write() as connection:
            # Of two at once, one waits here for the other and then counts what is left.
            locked = select(_of.password).where(_of.id == learner).with_for_update()
            password = connection.scalar(locked)
            others = select(func.count()).where(mine, identities.c.provider != provider)
            if password is None and not connection.scalar(others):
                raise LastWayIn("that is the only way into the account; set a password first")
            gone = delete(identities).where(mine, identities.c.provider == provider)
            connection.execute(gone)


def _shown(name: str) -> str:
    """A name that every database takes."""
    clean = name.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    return " ".join(clean.split())[:_NAME_LENGTH]


def _folded(text: str) -> str:
    """A text as it is looked for: accents joined to their letters, capitals small."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _set_password(connection: Connection, learner: int, password_hash: str) -> None:
    change = update(learners).where(_of.id == learner).values(password=password_hash)
    connection.execute(change)
    connection.execute(delete(sessions).where(sessions.c.learner == learner))
    connection.execute(delete(password_links).where(password_links.c.learner == learner))


def _account(row: Row[Any]) -> Account:
    return account_of(dict(row._mapping))


def account_of(values: dict[str, Any]) -> Account:
    """Return the account of a row of learners."""
    return Account(
        id=values["id"],
        login=values["login"],
        name=values["name"] or values["login"],
        role=cast(Role, values["role"]),
        created=values["created"],
        disabled=values["disabled"],
        has_password=values["password"] is not None,
    )
