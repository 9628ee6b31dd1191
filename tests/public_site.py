"""A public site in this process, and people at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

from fastapi.testclient import TestClient
from starlette.types import ASGIApp

from grader.site import app as site_app
from grader.site.app import Desk, create_app
from grader.site.passwords import hash_password
from grader.site.public import Public
from grader.site.settings import Settings
from grader.site.visitors import COOKIE, digest_of, new_ticket

URL = "https://judge.example.org"
SECRET = b"a secret of the tests, long enough"
PASSWORD = "a horse and a staple"
PUBLIC = Public(url=URL, secret=SECRET, proxies=("127.0.0.1",))


class Crowd:
    """A public site, and browsers at it."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app = app
        self.desk = desk
        self._hashed = hash_password(PASSWORD)

    def somebody(self, address: str = "192.0.2.1") -> TestClient:
        """A browser that is not signed in: it keeps cookies and says from where a form comes."""
        client = TestClient(
            self._app, base_url=URL, client=(address, 50000), follow_redirects=False
        )
        client.headers["origin"] = URL
        return client

    def person(self, login: str, role: str = "learner") -> TestClient:
        """A browser of somebody with an account, signed in."""
        accounts, now = self.desk.store.accounts, datetime.now(UTC)
        account = accounts.find(login)
        if account is None:
            account = accounts.add(login, login.title(), self._hashed, role, now)  # type: ignore[arg-type]
        ticket, client = new_ticket(), self.somebody()
        digest = digest_of(SECRET, "session", ticket)
        self.desk.store.tickets.open_session(account.id, digest, now, timedelta(days=1), "test")
        client.cookies.set(COOKIE, ticket, domain="judge.example.org", path="/")
        return client

    def number_of(self, login: str) -> int:
        """The number of an account."""
        account = self.desk.store.accounts.find(login)
        assert account is not None
        return account.id


class NoJudge:
    """An engine that takes nothing: what waits goes on waiting."""

    slots = window = zygote_restarts = 0


@contextmanager
def crowd_at(folder: Path, *, judging: bool = True, **changed: object) -> Iterator[Crowd]:
    """Run a public site; give who is there.

    Args:
        judging: False where only people matter, for a judge takes seconds to start.
        changed: settings of `Public`.
    """
    settings = Settings(folder, jobs=1, public=replace(PUBLIC, **changed))  # type: ignore[arg-type]
    with ExitStack() as whole:
        if not judging:
            nobody = NoJudge(), NoJudge()
            whole.enter_context(mock.patch.object(site_app, "_judges", return_value=nobody))
        app = create_app(settings)
        whole.enter_context(TestClient(app, base_url=URL))
        yield Crowd(app, app.state.desk)
