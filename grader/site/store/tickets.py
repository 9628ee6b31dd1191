"""What a visitor shows at each request: the session of a browser, the token of a program."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    Table,
    bindparam,
    delete,
    insert,
    or_,
    select,
    update,
)

from grader.site.store.accounts import Account, Open, account_of
from grader.site.store.tables import learners, sessions, tokens

_SEEN_EVERY = timedelta(minutes=1)  # not every request needs to write
_of = learners.c


@dataclass(frozen=True)
class Session:
    """A browser that is signed in.

    Attributes:
        expires: moves on as long as it is used.
        agent: what the browser says of itself.
    """

    id: int
    learner: int
    created: datetime
    last_seen: datetime
    expires: datetime
    agent: str


@dataclass(frozen=True)
class Token:
    """What opens the API for a program."""

    id: int
    learner: int
    name: str
    created: datetime
    last_used: datetime | None
    expires: datetime | None


class Tickets:
    """Sessions and tokens of a store; every method is one transaction.

    Digests are those of `visitors.digest_of`: the tickets themselves are never kept.
    """

    def __init__(self, read: Open, write: Open) -> None:
        self._read = read
        self._write = write

    def open_session(
        self, learner: int, digest: bytes, now: datetime, lifetime: timedelta, agent: str
    ) -> Session:
        """Sign a browser in.

        Args:
            lifetime: after which it ends if nobody uses it.
        """
        row = {
            "learner": learner,
            "digest": digest,
            "created": now,
            "last_seen": now,
            "idle_s": int(lifetime.total_seconds()),
            "expires": now + lifetime,
            "agent": agent,
        }
        with self._write() as connection:
            made = connection.execute(insert(sessions).values(row).returning(*sessions.c)).one()
        return _session(made)

    def session(self, digest: bytes, now: datetime) -> tuple[Account, Session] | None:
        """Return whose a session is; None if it has ended or the account is shut."""
        with self._read() as connection:
            row = _opened(connection, sessions, digest, now)
        if row is None:
            return None
        found = _session(row)
        if now - found.last_seen >= _SEEN_EVERY:
            values = {"last_seen": now, "expires": now + timedelta(seconds=row.idle_s)}
            with self._write() as connection:
                connection.execute(update(sessions).where(sessions.c.id == found.id).values(values))
        return _joined_account(row), found

    def sessions(self, learner: int, now: datetime) -> list[Session]:
        """Return the sessions of an account that have not ended, the last used first."""
        mine = select(sessions).where(sessions.c.learner == learner, sessions.c.expires > now)
        with self._read() as connection:
            rows = connection.execute(mine.order_by(sessions.c.last_seen.desc()))
            return [_session(row) for row in rows]

    def end_session(self, learner: int, id: int) -> bool:
        """End a session of an account; False if it has none such."""
        return self._remove(sessions, learner, id)

    def end_sessions(self, learner: int, but: int | None = None) -> int:
        """End all sessions of an account but one; return how many."""
        ended = delete(sessions).where(sessions.c.learner == learner)
        if but is not None:
            ended = ended.where(sessions.c.id != but)
        with self._write() as connection:
            return connection.execute(ended).rowcount

    def add_token(
        self, learner: int, name: str, digest: bytes, now: datetime, lifetime: timedelta | None
    ) -> Token:
        """Make a token.

        Args:
            lifetime: None for one that does not end by itself.
        """
        row = {
            "learner": learner,
            "name": name,
            "digest": digest,
            "created": now,
            "expires": None if lifetime is None else now + lifetime,
        }
        with self._write() as connection:
            made = connection.execute(insert(tokens).values(row).returning(*tokens.c)).one()
        return _token(made)

    def token(self, digest: bytes, now: datetime) -> tuple[Account, Token] | None:
        """Return whose a token is; None if it has ended or the account is shut."""
        with self._read() as connection:
            row = _opened(connection, tokens, digest, now)
        if row is None:
            return None
        found = _token(row)
        if found.last_used is None or now - found.last_used >= _SEEN_EVERY:
            with self._write() as connection:
                used = update(tokens).where(tokens.c.id == found.id).values(last_used=now)
                connection.execute(used)
        return _joined_account(row), found

    def tokens(self, learner: int) -> list[Token]:
        """Return the tokens of an account, the newest first."""
        mine = select(tokens).where(tokens.c.learner == learner).order_by(tokens.c.id.desc())
        with self._read() as connection:
            return [_token(row) for row in connection.execute(mine)]

    def revoke_token(self, learner: int, id: int) -> bool:
        """End a token of an account; False if it has none such."""
        return self._remove(tokens, learner, id)

    def _remove(self, table: Table, learner: int, id: int) -> bool:
        gone = delete(table).where(table.c.learner == learner, table.c.id == id)
        with self._write() as connection:
            return bool(connection.execute(gone).rowcount)


def _opened(connection: Connection, table: Table, digest: bytes, now: datetime) -> Row[Any] | None:
    """The row of a ticket that is good, with the account it opens."""
    return connection.execute(_good(table), {"digest": digest, "now": now}).one_or_none()


@cache
def _good(table: Table) -> Select[Any]:
    """Made once, as every request asks for it, and to build it takes longer than to run it."""
    at = table.c
    account = [column.label(f"account_{column.name}") for column in _of]
    return (
        select(table, *account)
        .join(learners, _of.id == at.learner)
        .where(at.digest == bindparam("digest"), _of.disabled.is_(False))
        .where(or_(at.expires.is_(None), at.expires > bindparam("now", type_=at.expires.type)))
    )


def _joined_account(row: Row[Any]) -> Account:
    values = dict(row._mapping)
    return account_of({column.name: values[f"account_{column.name}"] for column in _of})


def _session(row: Row[Any]) -> Session:
    names = ("id", "learner", "created", "last_seen", "expires", "agent")
    return Session(**{name: row._mapping[name] for name in names})


def _token(row: Row[Any]) -> Token:
    names = ("id", "learner", "name", "created", "last_used", "expires")
    return Token(**{name: row._mapping[name] for name in names})
