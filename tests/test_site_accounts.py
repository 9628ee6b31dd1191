"""Accounts of a public site: who gets in, who does not, and what each may do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from public_site import PASSWORD, URL, Crowd, crowd_at
from test_site_app import RIGHT, SLUG, WRONG

from grader.site.rates import RULES
from grader.site.visitors import COOKIE


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    """A public site with an empty database."""
    with crowd_at(tmp_path_factory.mktemp("public"), judging=False) as made:
        yield made


def sign_in(client: TestClient, login: str, password: str = PASSWORD, path: str = "/") -> int:
    """Try to sign in; return the status."""
    form = {"login": login, "password": password, "next": path}
    return client.post("/sign-in", data=form).status_code


# --- the door -------------------------------------------------------------------------------------


def test_an_account_from_sign_up_to_sign_out(crowd: Crowd) -> None:
    """With a cookie that no script reads and no other site sends."""
    client = crowd.somebody()
    form = {"login": "Minh.Anh", "password": PASSWORD, "name": "Minh Anh", "next": "/progress"}
    answer = client.post("/sign-up", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/progress")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Minh Anh" in client.get("/account").text
    kept = client.cookies[COOKIE]
    assert client.post("/sign-out").status_code == 303
    client.cookies.set(COOKIE, kept, domain="judge.example.org", path="/")
    assert client.get("/account").status_code == 303
    assert sign_in(client, "minh.anh") == 303
    assert client.get("/account").status_code == 200


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"login": "taken", "password": PASSWORD}, "That login is taken"),
        ({"login": "TAKEN", "password": PASSWORD}, "That login is taken"),
        ({"login": "a", "password": PASSWORD}, "2 to 40 characters"),
        ({"login": "<b>", "password": PASSWORD}, "2 to 40 characters"),
        ({"login": "newcomer", "password": "short"}, "at least 10 characters"),
    ],
)
def test_a_refused_form_says_why_and_keeps_what_was_typed(
    form: dict[str, str], said: str, crowd: Crowd
) -> None:
    """But for the password."""
    crowd.person("taken")
    answer = crowd.somebody().post("/sign-up", data=form | {"name": "New Comer"})
    assert answer.status_code == 422
    assert said in answer.text
    assert "New Comer" in answer.text
    assert form["password"] not in answer.text


def test_a_wrong_password_and_an_unknown_login_look_the_same(crowd: Crowd) -> None:
    """Else logins could be found out."""
    crowd.person("ann")
    pages = []
    for login in ("ann", "nobody-at-all"):
        form = {"login": login, "password": "not this one", "next": "/"}
        answer = crowd.somebody().post("/sign-in", data=form)
        assert answer.status_code == 401
        pages.append(answer.text.replace(login, "LOGIN"))
    assert pages[0] == pages[1]


def test_after_ten_tries_an_account_must_wait(crowd: Crowd) -> None:
    """The answer says how long; others get in meanwhile."""
    crowd.person("tried")
    crowd.person("other")
    client = crowd.somebody()
    for _ in range(RULES["sign-in"].account.amount):
        assert sign_in(client, "tried", "wrong password") == 401
    answer = client.post("/sign-in", data={"login": "tried", "password": PASSWORD})
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 300
    assert sign_in(client, "other") == 303


@pytest.mark.parametrize(
    "path", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", ""]
)
def test_after_signing_in_nobody_is_led_elsewhere(path: str, crowd: Crowd) -> None:
    """A link to our door must not end at somebody else's."""
    crowd.person("led")
    form = {"login": "led", "password": PASSWORD, "next": path}
    assert crowd.somebody().post("/sign-in", data=form).headers["location"] == "/"


def test_where_registration_is_closed_nobody_makes_an_account(tmp_path: Path) -> None:
    """The door says who does."""
    with crowd_at(tmp_path, judging=False, registration="closed") as crowd:
        client = crowd.somebody()
        assert "made by those who run it" in client.get("/sign-in").text
        assert client.get("/sign-up").status_code == 403
        form = {"login": "newcomer", "password": PASSWORD}
        assert client.post("/sign-up", data=form).status_code == 403
        assert crowd.desk.store.accounts.find("newcomer") is None


# --- sessions, tokens, passwords ----------------------------------------------------------------


def test_a_session_is_ended_from_another(crowd: Crowd) -> None:
    """A lost phone."""
    lost, here = crowd.person("phone"), crowd.person("phone")
    assert lost.get("/account").status_code == 200
    assert here.post("/account/sessions/end").status_code == 303
    assert lost.get("/account").headers["location"].startswith("/sign-in?")
    assert here.get("/account").status_code == 200


def test_a_new_password_ends_every_other_session(crowd: Crowd) -> None:
    """Whoever had the old one is out."""
    thief, owner = crowd.person("owner"), crowd.person("owner")
    form = {"old": "wrong password", "new": "another good password"}
    assert owner.post("/account/password", data=form).status_code == 422
    form["old"] = PASSWORD
    assert owner.post("/account/password", data=form).status_code == 303
    assert owner.get("/account").status_code == 200
    assert thief.get("/account").status_code == 303
    assert sign_in(crowd.somebody(), "owner") == 401
    assert sign_in(crowd.somebody(), "owner", "another good password") == 303


def test_a_token_opens_the_api_until_it_is_revoked(crowd: Crowd) -> None:
    """It is shown once, and the store has it not."""
    owner = crowd.person("scripter")
    page = owner.post("/account/tokens", data={"name": "laptop", "days": "1"}).text
    found = re.search(r"tj_[\w-]{43}", page)
    assert found is not None
    assert found[0] not in owner.get("/account").text
    client = crowd.somebody()
    client.headers["authorization"] = f"Bearer {found[0]}"
    assert client.get("/api/v1/me").json()["login"] == "scripter"
    (token,) = crowd.desk.store.tickets.tokens(crowd.number_of("scripter"))
    assert owner.post("/account/tokens/revoke", data={"token": str(token.id)}).status_code == 303
    assert client.get("/api/v1/me").status_code == 401


def test_a_token_does_not_stand_in_for_a_session_nor_the_other_way(crowd: Crowd) -> None:
    """What carries a token is no browser; its cookie counts for nothing."""
    client = crowd.person("mixed")
    client.headers["authorization"] = f"Bearer {client.cookies[COOKIE]}"
    assert client.get("/api/v1/me").status_code == 401
    assert client.get("/account").status_code == 303


def test_a_password_link_works_once(crowd: Crowd) -> None:
    """An admin makes it; whoever has it sets a password and is in."""
    crowd.person("forgetful")
    admin = crowd.person("boss", "admin")
    form = {"account": str(crowd.number_of("forgetful"))}
    found = re.search(rf"{URL}(/password/[\w-]+)", admin.post("/admin/link", data=form).text)
    assert found is not None
    client = crowd.somebody()
    assert client.get(found[1]).status_code == 200
    assert client.post(found[1], data={"new": "short"}).status_code == 422
    assert client.post(found[1], data={"new": "a third good password"}).status_code == 303
    assert "Forgetful" in client.get("/account").text
    assert client.post(found[1], data={"new": "a fourth good password"}).status_code == 422
    assert sign_in(crowd.somebody(), "forgetful", "a third good password") == 303


def test_an_account_goes_with_all_it_has(crowd: Crowd) -> None:
    """Once its login is typed."""
    client = crowd.person("leaving")
    client.post(f"/problems/{SLUG}/note", data={"note": "mine"})
    assert client.post("/account/delete", data={"login": "wrong"}).status_code == 422
    number = crowd.number_of("leaving")
    assert client.post("/account/delete", data={"login": "leaving"}).status_code == 303
    assert crowd.desk.store.accounts.find("leaving") is None
    assert crowd.desk.store.note(number, SLUG) is None
    assert client.get("/account").status_code == 303


# --- what others may not --------------------------------------------------------------------------


def test_a_form_from_another_site_changes_nothing(crowd: Crowd) -> None:
    """Nor one whose browser does not say from where it comes."""
    client = crowd.person("careful")
    del client.headers["origin"]
    for headers in (
        {"origin": "https://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "null"},
        {},
    ):
        answer = client.post("/account/name", data={"name": "Stolen"}, headers=headers)
        assert answer.status_code == 403, headers
    assert "Stolen" not in client.get("/account").text
    assert client.post("/account/name", data={"name": "Own"}, headers={"origin": URL})
    assert "Own" in client.get("/account").text


def test_nothing_is_answered_without_https(crowd: Crowd) -> None:
    """Nor under another name; and the browser is told to ask by HTTPS alone."""
    client = crowd.somebody()
    assert client.get("http://judge.example.org/").status_code == 400
    assert client.get("https://evil.example/").status_code == 400
    headers = client.get("/").headers
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert "script-src 'self'" in headers["content-security-policy"]


def test_a_learner_sees_nothing_of_another(crowd: Crowd) -> None:
    """Neither result nor code, however the address is come by."""
    ann, bob = crowd.person("ann2"), crowd.person("bob2")
    path = ann.post(f"/problems/{SLUG}/submit", data={"source": WRONG}).headers["location"]
    assert ann.get(path).status_code == 200
    for address in (path, f"{path}/events", f"{path}/diff"):
        assert bob.get(address).status_code == 404
    number = path.rpartition("/")[2]
    assert bob.get(f"/problems/{SLUG}?from={number}").status_code == 404
    assert bob.get(f"/history?before={number}").text.count("/submissions/") == 0


def test_a_learner_with_many_waiting_must_wait(crowd: Crowd) -> None:
    """Others are not kept waiting by one; what was written stays on the page."""
    client = crowd.person("hasty")
    slow = "def average_ranks(x):\n    while True: pass\n"
    codes = [
        client.post(f"/problems/{SLUG}/submit", data={"source": f"{slow}# {n}\n"}) for n in range(6)
    ]
    assert [answer.status_code for answer in codes] == [303] * 5 + [429]
    assert "while True: pass" in codes[5].text
    assert codes[5].headers["retry-after"] == "5"


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        ("learner", set()),
        ("author", {"/admin/problems"}),
        ("admin", {"/admin/problems", "/admin"}),
    ],
)
def test_each_role_sees_its_pages(role: str, allowed: set[str], crowd: Crowd) -> None:
    """And no other."""
    client = crowd.person(f"one-{role}", role)
    for path in ("/admin", "/admin/problems"):
        assert client.get(path).status_code == (200 if path in allowed else 403)
    number = str(crowd.number_of(f"one-{role}"))
    for path, form in (
        ("/admin/role", {"account": number, "role": "admin"}),
        ("/admin/disable", {"account": number}),
        ("/admin/link", {"account": number}),
    ):
        status = client.post(path, data=form).status_code
        assert (status == 403) == (role != "admin" or path == "/admin/disable"), path


def test_an_admin_gives_roles_and_shuts_accounts(crowd: Crowd) -> None:
    """Not their own, so that one is always left."""
    admin, other = crowd.person("chief", "admin"), crowd.person("deputy")
    number = str(crowd.number_of("deputy"))
    admin.post("/admin/role", data={"account": number, "role": "author"})
    assert other.get("/admin/problems").status_code == 200
    admin.post("/admin/disable", data={"account": number})
    assert other.get("/account").status_code == 303
    assert sign_in(crowd.somebody(), "deputy") == 401
    admin.post("/admin/enable", data={"account": number})
    assert sign_in(crowd.somebody(), "deputy") == 303
    own = str(crowd.number_of("chief"))
    assert admin.post("/admin/role", data={"account": own, "role": "learner"}).status_code == 403
    assert admin.post("/admin/disable", data={"account": own}).status_code == 403
    assert "deputy" in admin.get("/admin?q=deput").text
    assert "chief" not in admin.get("/admin?q=deput").text.partition("<main")[2]


def test_nobody_reads_the_list_and_the_statements_and_nothing_else(crowd: Crowd) -> None:
    """Whoever wants more is led to the door, and back afterwards."""
    client = crowd.somebody()
    assert client.get("/").status_code == 200
    assert "Sign in to submit" in client.get(f"/problems/{SLUG}").text
    for path in ("/progress", "/history", "/classes", "/account", "/export", "/admin"):
        answer = client.get(path)
        parts = urlsplit(answer.headers["location"])
        assert (answer.status_code, parts.path) == (303, "/sign-in")
        assert parse_qs(parts.query) == {"next": [path]}
    for path in ("submit", "run", "draft", "note", "hint", "give-up", "check"):
        sent = client.post(f"/problems/{SLUG}/{path}", data={"source": RIGHT})
        assert sent.status_code == 401, path


# --- classes ----------------------------------------------------------------


def made_class(teacher: TestClient, name: str = "Deep learning") -> str:
    """The address of a new class."""
    return str(teacher.post("/classes", data={"name": name}).headers["location"])


def code_of(teacher: TestClient, path: str) -> str:
    """The code to join a class by."""
    found = re.search(r'<code class="chip">([^<]+)</code>', teacher.get(path).text)
    assert found is not None
    return found[1]


def test_a_learner_joins_by_code_and_sees_what_is_to_be_done(crowd: Crowd) -> None:
    """However the code is typed; what is not yet to be shown is not."""
    teacher, learner = crowd.person("teacher", "author"), crowd.person("pupil")
    path = made_class(teacher)
    form = {"title": "Week 1", "slugs": [SLUG], "due": "2099-01-01T10:00", "zone": "Asia/Tokyo"}
    assert teacher.post(f"{path}/assignments/new", data=form).status_code == 303
    later = form | {"title": "Week 2", "opens": "2098-01-01T10:00"}
    assert teacher.post(f"{path}/assignments/new", data=later).status_code == 303
    assert learner.get(path).status_code == 404
    code = code_of(teacher, path)
    assert learner.post("/classes/join", data={"code": "wrong"}).status_code == 422
    typed = f" {code.lower()} "
    assert learner.post("/classes/join", data={"code": typed}).headers["location"] == path
    page = learner.get(path).text
    assert "Week 1" in page
    assert "Week 2" not in page
    assert "2099-01-01T01:00:00+00:00" in page
    assert "Week 1" in learner.get("/classes").text
    assert "Deep learning" in teacher.get("/classes").text


def test_a_closed_class_takes_nobody(crowd: Crowd) -> None:
    """And a new code makes the old one useless."""
    teacher, learner = crowd.person("teacher3", "author"), crowd.person("pupil3")
    path = made_class(teacher)
    old = code_of(teacher, path)
    teacher.post(f"{path}/code")
    assert learner.post("/classes/join", data={"code": old}).status_code == 422
    fresh = code_of(teacher, path)
    teacher.post(f"{path}/close")
    assert learner.post("/classes/join", data={"code": fresh}).status_code == 422


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"title": " "}, "A title is missing"),
        ({"slugs": []}, "At least one problem"),
        ({"slugs": ["no-such-problem"]}, "At least one problem"),
        ({"due": "soon"}, "no date and time"),
        ({"opens": "2099-01-02T00:00"}, "before it is due"),
    ],
)
def test_a_faulty_assignment_is_shown_again(
    changed: dict[str, object], said: str, crowd: Crowd
) -> None:
    """With what was typed."""
    teacher = crowd.person("teacher4", "author")
    path = made_class(teacher)
    form = {"title": "Week 1", "slugs": [SLUG], "due": "2099-01-01T10:00"} | changed
    answer = teacher.post(f"{path}/assignments/new", data=form)
    assert answer.status_code == 422
    assert said in answer.text
    assert f'value="{form["title"].strip()}"' in answer.text  # type: ignore[attr-defined]


def test_an_assignment_is_changed_and_taken_back(crowd: Crowd) -> None:
    """By its teacher."""
    teacher, other = crowd.person("teacher5", "author"), crowd.person("teacher6", "author")
    path = made_class(teacher)
    form = {"title": "Week 1", "slugs": [SLUG]}
    told = teacher.post(f"{path}/assignments/new", data=form).headers["location"]
    number = parse_qs(urlsplit(told).query)["assignment"][0]
    address = f"{path}/assignments/{number}"
    assert other.get(address).status_code == 404
    assert other.post(address, data=form).status_code == 404
    assert "Week 1" in teacher.get(address).text
    teacher.post(address, data=form | {"title": "First week"})
    assert "First week" in teacher.get(path).text
    teacher.post(f"{address}/delete")
    assert "First week" not in teacher.get(path).text


def test_the_table_is_the_teachers_alone(crowd: Crowd) -> None:
    """And its spreadsheet computes nothing that a learner wrote."""
    teacher, learner = crowd.person("teacher7", "author"), crowd.person("pupil7")
    learner.post("/account/name", data={"name": "=cmd()"})
    path = made_class(teacher)
    teacher.post(f"{path}/assignments/new", data={"title": "Week 1", "slugs": [SLUG]})
    learner.post("/classes/join", data={"code": code_of(teacher, path)})
    assert learner.get(f"{path}/table.csv").status_code == 403
    assert crowd.person("teacher8", "author").get(f"{path}/table.csv").status_code == 404
    rows = teacher.get(f"{path}/table.csv").content.decode("utf-8-sig").splitlines()
    assert rows[0].startswith(f"login,name,solved,{SLUG} status,{SLUG} attempts")
    assert rows[1] == "pupil7,'=cmd(),0,untouched,0,,,,"
    learner.post(f"{path}/leave")
    assert learner.get(path).status_code == 404


def test_a_class_is_put_away_and_deleted(crowd: Crowd) -> None:
    """Asked twice; what its learners did stays theirs."""
    teacher = crowd.person("teacher9", "author")
    path = made_class(teacher, "Old class")
    teacher.post(f"{path}/name", data={"name": "Older class"})
    teacher.post(f"{path}/archive", data={"archived": "true"})
    assert "put away" in teacher.get("/classes").text
    assert teacher.post("/account/delete", data={"login": "teacher9"}).status_code == 422
    assert "Delete Older class?" in teacher.get(f"{path}/delete").text
    assert teacher.post(f"{path}/delete").headers["location"] == "/classes"
    assert teacher.get(path).status_code == 404


def test_a_session_nobody_uses_ends(crowd: Crowd) -> None:
    """After thirty days."""
    from grader.site.visitors import digest_of

    tickets = crowd.desk.store.tickets
    crowd.person("idle")
    number, then = crowd.number_of("idle"), datetime.now(UTC) - timedelta(days=31)
    digest = digest_of(b"any", "session", "any")
    tickets.open_session(number, digest, then, timedelta(days=30), "test")
    assert tickets.session(digest, datetime.now(UTC)) is None
