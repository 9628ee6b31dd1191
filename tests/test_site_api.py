"""The API: what programs ask, and what they are told."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient
from public_site import Crowd, crowd_at
from site_served import local_site
from test_site_app import RIGHT, SLUG, WRONG

from grader.cli import main
from grader.spec import load_problem

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    """A public site."""
    with crowd_at(tmp_path_factory.mktemp("api")) as made:
        yield made


@pytest.fixture(scope="module")
def program(crowd: Crowd) -> TestClient:
    """A program with a token."""
    page = crowd.person("scripter").post("/account/tokens", data={"name": "ci"}).text
    found = re.search(r"tj_[\w-]{43}", page)
    assert found is not None
    client = crowd.somebody()
    del client.headers["origin"]
    client.headers["authorization"] = f"Bearer {found[0]}"
    return client


def sent(program: TestClient, source: str, **more: Any) -> dict[str, Any]:
    """Submit; return the submission once it is judged."""
    answer = program.post(f"/api/v1/problems/{SLUG}/submissions", json={"source": source, **more})
    assert answer.status_code == 202, answer.text
    told = answer.json()
    assert answer.headers["location"] == told["url"]
    for _ in range(600):
        whole: dict[str, Any] = program.get(told["url"]).json()
        if whole["state"] == "done":
            return whole
        time.sleep(0.05)
    raise AssertionError("no result")


def test_problems_are_listed_and_filtered(program: TestClient) -> None:
    """As on the page, in the language asked for."""
    known = program.get("/api/v1/problems").json()
    assert SLUG in [each["slug"] for each in known]
    (hard,) = program.get("/api/v1/problems?difficulty=Hard&language=vi").json()
    assert hard["slug"] == "mini-metric-base"
    assert hard["title"] == load_problem("mini-metric-base").translations["vi"]["title"]


def test_a_problem_is_told_as_its_page_shows_it(program: TestClient) -> None:
    """With what one needs to solve it, and no more."""
    told = program.get(f"/api/v1/problems/{SLUG}?language=zh").json()
    problem = load_problem(SLUG)
    assert told["starter_code"] == problem.starter_code
    assert told["language"] == "zh"
    assert told["cases"] == len(problem.cases)
    assert [case["name"] for case in told["shown_cases"]] == [
        case.name for case in problem.cases if not case.hidden and case.drawn is None
    ]
    assert told["hints"] == []


def test_a_submission_is_judged_and_its_report_fits_the_schema(program: TestClient) -> None:
    """The same that `grader grade --json` prints."""
    whole = sent(program, RIGHT)
    assert (whole["verdict"], whole["passed"]) == ("accepted", whole["total"])
    schema = json.loads((ROOT / "schemas/report.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(whole["report"])
    assert program.get("/api/v1/me").json()["solved"] == 1


def test_a_run_with_an_input_of_ones_own(program: TestClient) -> None:
    """The reference answers it."""
    whole = sent(program, WRONG, kind="run", input={"x": "[5.0, 7.0]"})
    (case,) = whole["report"]["cases"]
    assert case["expected_summary"]["preview"] == "[1.0, 2.0]"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "source"),
        ({"source": "x", "colour": "red"}, "colour"),
        ({"source": "x", "kind": "other"}, "kind"),
        ({"source": "x", "input": {"x": "1"}}, "kind 'run'"),
        ({"source": "x", "kind": "run", "input": {"x": "open('f')"}}, "is not allowed"),
        ({"source": "x", "kind": "run", "input": {"nope": "1"}}, "with a name of x"),
    ],
)
def test_a_faulty_body_is_refused_in_a_sentence(
    body: dict[str, Any], said: str, program: TestClient
) -> None:
    """As JSON, with the place."""
    answer = program.post(f"/api/v1/problems/{SLUG}/submissions", json=body)
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_events_tell_each_case_and_the_end(program: TestClient) -> None:
    """Those who come late are told the end."""
    told = program.post(
        f"/api/v1/problems/{SLUG}/submissions", json={"source": f"{RIGHT}# events\n"}
    ).json()
    text = program.get(told["events"]).text
    assert text.rstrip().endswith(f"data: {told['url']}")
    cases = [json.loads(each) for each in re.findall(r"event: case\ndata: (.*)", text)]
    assert all(case["verdict"] == "accepted" for case in cases)
    assert "event: case" not in program.get(told["events"]).text


def test_history_comes_in_pages(program: TestClient) -> None:
    """Each names the next."""
    for number in range(3):
        sent(program, f"{WRONG}# page {number}\n")
    first = program.get(f"/api/v1/submissions?slug={SLUG}&limit=2").json()
    second = program.get(first["next"]).json()
    seen = [each["id"] for page in (first, second) for each in page["submissions"]]
    assert len(seen) == len(set(seen)) == 4
    assert program.get("/api/v1/submissions?limit=0").status_code == 422


def test_what_a_submission_prints_breaks_no_answer(program: TestClient) -> None:
    """Lone surrogates and NUL among it."""
    whole = sent(program, f"print('\\ud800 \\0 \\x1b[2J')\n{WRONG}")
    assert whole["verdict"] == "wrong_answer"


def test_without_a_token_only_problems_are_told(crowd: Crowd) -> None:
    """And a wrong token is none."""
    client = crowd.somebody()
    assert client.get("/api/v1/problems").status_code == 200
    for headers in ({}, {"authorization": "Bearer tj_wrong"}, {"authorization": "Basic eDp5"}):
        answer = client.get("/api/v1/me", headers=headers)
        assert answer.status_code == 401
        assert answer.json()["error"]
        answer = client.post(
            f"/api/v1/problems/{SLUG}/submissions", json={"source": RIGHT}, headers=headers
        )
        assert answer.status_code == 401


def test_the_document_of_the_api_names_every_route(program: TestClient) -> None:
    """docs/api.md is what people read; a route it does not have is not there for them."""
    described = program.get("/api/v1/openapi.json").json()
    routes = {
        f"{method.upper()} {path}"
        for path, methods in described["paths"].items()
        for method in methods
    }
    text = (ROOT / "docs/api.md").read_text("utf-8")
    assert set(re.findall(r"^\| `((?:GET|POST) [^`]+)`", text, re.MULTILINE)) == routes


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of one learner, in a process of its own."""
    with local_site(tmp_path_factory.mktemp("site")) as made:
        yield made.address


def command(*arguments: str, source: str | None = None, token: str = "") -> Any:
    """Run `grader submit`."""
    env = {"TENSORJUDGE_TOKEN": token}
    return CliRunner().invoke(main, ["submit", *arguments], input=source, env=env)


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [(RIGHT, 0, "accepted"), (WRONG, 1, "wrong answer"), ("def f(:", 1, "invalid submission")],
)
def test_a_solution_is_submitted_from_the_shell(
    source: str, code: int, said: str, site: str
) -> None:
    """It prints what `grader grade` prints, and ends with its codes."""
    done = command(SLUG, "-", "--site", site, source=source)
    assert done.exit_code == code, done.output
    assert said in done.output.replace("_", " ")


def test_the_report_is_printed_as_json(site: str, tmp_path: Path) -> None:
    """Of the shown cases alone, for a run."""
    file = tmp_path / "solution.py"
    file.write_text(RIGHT)
    done = command(SLUG, str(file), "--site", site, "--run", "--json")
    report = json.loads(done.stdout)
    shown = [case for case in load_problem(SLUG).cases if not case.hidden and case.drawn is None]
    assert (report["verdict"], report["total"]) == ("accepted", len(shown))


@pytest.mark.parametrize(
    ("arguments", "token", "code", "said"),
    [
        (["none", "-", "--site", "SITE"], "", 2, "no problem 'none'"),
        ([SLUG, "-", "--site", "ftp://x"], "", 2, "https://NAME expected"),
        ([SLUG, "-", "--site", "http://judge.example.org"], "tj_x", 2, "by https alone"),
        ([SLUG, "-", "--site", "http://127.0.0.1:9"], "", 3, "not reached"),
        ([SLUG, "/none.py", "--site", "SITE"], "", 2, "No such file"),
    ],
)
def test_what_goes_wrong_is_told(
    arguments: list[str], token: str, code: int, said: str, site: str
) -> None:
    """With a code of its own."""
    given = [site if each == "SITE" else each for each in arguments]
    done = command(*given, source=RIGHT, token=token)
    assert done.exit_code == code
    assert said in done.output
