"""Signing in with an account elsewhere, against a provider of the tests' own."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from public_site import URL, Crowd, crowd_at

from grader.site.elsewhere import COOKIE
from grader.site.public import Provider


class School:
    """A provider: one code, one account.

    Attributes:
        told: what it says of the account.
    """

    def __init__(self) -> None:
        self.told: Any = {"sub": "s1", "preferred_username": "Minh.Anh@school", "name": "Minh"}
        self.challenge = ""
        self.refuses = False
        school = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                form = parse_qs(self.rfile.read(length).decode())
                verifier = form.get("code_verifier", [""])[0]
                hashed = hashlib.sha256(verifier.encode()).digest()
                proved = base64.urlsafe_b64encode(hashed).rstrip(b"=").decode() == school.challenge
                good = proved and form["code"] == ["the-code"] and not school.refuses
                told = {"access_token": "a", "token_type": "Bearer"} if good else {"error": "no"}
                self._answer(200 if good else 400, told)

            def do_GET(self) -> None:
                known = self.headers.get("authorization") == "Bearer a"
                self._answer(200 if known else 401, school.told)

            def _answer(self, status: int, told: Any) -> None:
                data = json.dumps(told).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def provider(self) -> Provider:
        """How the site knows it."""
        at = f"http://127.0.0.1:{self.server.server_port}"
        return Provider(
            *("school", "The school", "judge", "quiet", "https://id.example.org/authorize"),
            *(f"{at}/token", f"{at}/user"),
        )


@pytest.fixture
def school() -> Iterator[School]:
    """A provider that is there."""
    made = School()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def crowd(school: School, tmp_path: Path) -> Iterator[Crowd]:
    """A site that knows it."""
    with crowd_at(tmp_path, judging=False, providers=(school.provider(),)) as made:
        yield made


def left(client: TestClient, school: School, path: str = "/progress") -> str:
    """Leave for the provider; return the state it must bring back."""
    answer = client.get(f"/oauth/school?next={path}")
    assert answer.status_code == 303
    parts = urlsplit(answer.headers["location"])
    asked = parse_qs(parts.query)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == "https://id.example.org/authorize"
    assert asked["redirect_uri"] == [f"{URL}/oauth/school/back"]
    assert asked["code_challenge_method"] == ["S256"]
    school.challenge = asked["code_challenge"][0]
    return asked["state"][0]


def back(client: TestClient, state: str, code: str = "the-code") -> Any:
    """Come back from it."""
    return client.get("/oauth/school/back", params={"state": state, "code": code})


def test_a_newcomer_gets_an_account_and_finds_it_again(crowd: Crowd, school: School) -> None:
    """Called as elsewhere, whatever they are called there later."""
    client = crowd.somebody()
    assert "Go on with The school" in client.get("/sign-in").text
    answer = back(client, left(client, school))
    assert (answer.status_code, answer.headers["location"]) == (303, "/progress")
    assert "minh.anh" in client.get("/account").text
    school.told["preferred_username"] = "other"
    again = crowd.somebody()
    back(again, left(again, school))
    assert "minh.anh" in again.get("/account").text


def test_a_name_that_is_taken_gets_a_number(crowd: Crowd, school: School) -> None:
    """Nobody gets into another's account by being called so elsewhere."""
    crowd.person("minh.anh")
    client = crowd.somebody()
    back(client, left(client, school))
    assert "minh.anh-2" in client.get("/account").text


@pytest.mark.parametrize("name", ["", "<script>", "é", "-", "a" * 300])
def test_odd_names_elsewhere_become_logins(name: str, crowd: Crowd, school: School) -> None:
    """A person must get in, whatever they are called."""
    school.told["preferred_username"] = name
    client = crowd.somebody()
    assert back(client, left(client, school)).status_code == 303
    assert client.get("/account").status_code == 200


def test_an_account_is_linked_and_unlinked(crowd: Crowd, school: School) -> None:
    """By whoever is signed in, and not to two accounts."""
    owner, other = crowd.person("owner"), crowd.person("other")
    assert back(owner, left(owner, school, "/account")).headers["location"] == "/account"
    assert "Unlink The school" in owner.get("/account").text
    refused = back(other, left(other, school))
    assert refused.status_code == 403
    assert "opens another account here" in refused.text
    owner.post("/account/unlink", data={"provider": "school"})
    assert "Link The school" in owner.get("/account").text


@pytest.mark.parametrize(
    "fault", ["state", "no cookie", "forged cookie", "code", "refused", "nobody", "no object"]
)
def test_who_is_not_confirmed_does_not_get_in(fault: str, crowd: Crowd, school: School) -> None:
    """A link that leads back must not sign anybody in who never left."""
    client = crowd.somebody()
    state, code = left(client, school), "the-code"
    if fault == "state":
        state = "another"
    elif fault == "no cookie":
        client.cookies.clear()
    elif fault == "forged cookie":
        text, _, mark = client.cookies[COOKIE].partition(".")
        client.cookies.clear()
        forged = f"{text[:-2]}AA.{mark}"
        client.cookies.set(COOKIE, forged, domain="judge.example.org", path="/")
    elif fault == "code":
        code = ""
    elif fault == "refused":
        school.refuses = True
    elif fault == "nobody":
        school.told = {"name": "Nobody"}
    else:
        school.told = ["s1"]
    answer = back(client, state, code)
    assert answer.status_code == 403
    assert "did not confirm who you are" in answer.text
    assert client.get("/account").status_code == 303


def test_where_registration_is_closed_only_known_people_get_in(
    school: School, tmp_path: Path
) -> None:
    """Whoever has an account links it first."""
    with crowd_at(
        tmp_path, judging=False, providers=(school.provider(),), registration="closed"
    ) as crowd:
        client = crowd.somebody()
        assert back(client, left(client, school)).status_code == 403
        owner = crowd.person("owner")
        assert back(owner, left(owner, school)).status_code == 303
        again = crowd.somebody()
        assert back(again, left(again, school)).status_code == 303


def test_a_shut_account_is_not_opened_from_elsewhere(crowd: Crowd, school: School) -> None:
    """Nor is there a way that nobody set up."""
    owner = crowd.person("owner")
    back(owner, left(owner, school))
    crowd.desk.store.accounts.set_disabled(crowd.number_of("owner"), True)
    client = crowd.somebody()
    assert back(client, left(client, school)).status_code == 403
    assert client.get("/account").status_code == 303
    assert client.get("/oauth/none").status_code == 404
