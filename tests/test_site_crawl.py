"""What no page and no answer may hold, whoever asks: a walk through every route as each role."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from public_site import Crowd, crowd_at
from test_site_app import SLUG, WRONG

from grader.site.routes import (
    accounts,
    admin,
    api,
    classes,
    files,
    learner,
    oauth,
    operations,
    problems,
    submissions,
)
from grader.spec import Problem, list_problems, load_problem

ROOT = Path(__file__).parent.parent
MARK = "code_of_somebody_else_7f3a"
NOTE = "note_of_somebody_else_91bc"
ROUTERS = (accounts, admin, api, classes, files, learner, oauth, operations, problems, submissions)
_LONG = 24  # characters of a line without blanks; shorter ones stand in statements too


def squeezed(text: str) -> str:
    """Text without blanks, so that neither markup nor layout hides anything."""
    return re.sub(r"\s+", "", text)


def lines_of(code: str) -> set[str]:
    """The lines of code that are long enough to be known again."""
    found = {squeezed(line.partition("#")[0]) for line in code.splitlines()}
    return {line for line in found if len(line) >= _LONG}


def shown_of(problem: Problem) -> str:
    """What everybody may see of a problem."""
    texts = [problem.description_md, problem.starter_code, problem.title, *problem.hints]
    for translation in problem.translations.values():
        texts += [str(value) for value in translation.values()]
    for case in problem.cases:
        if not case.hidden and case.drawn is None:
            texts += [*case.raw_inputs.values(), case.name, case.input_desc]
    return squeezed(" ".join(texts))


def secrets_of(problem: Problem) -> dict[str, set[str]]:
    """What nobody may see of a problem they have not solved, by kind."""
    raw = problem.raw
    wrong = (ROOT / "reference" / problem.slug.replace("-", "_")).glob("wrong/*.py")
    found = {
        "reference": lines_of(problem.reference_code),
        "test code": lines_of(str(raw.get("test_code") or "")),
        "probe": lines_of(str(raw.get("probe_code") or "")),
        "generator": lines_of(json.dumps(raw.get("generated_cases") or "").replace("\\n", "\n")),
        "wrong solutions": set().union(*(lines_of(path.read_text("utf-8")) for path in wrong)),
        "hidden inputs": {
            squeezed(value)
            for case in problem.cases
            if case.hidden
            for value in case.raw_inputs.values()
            if len(squeezed(value)) >= _LONG
        },
    }
    return {kind: {each for each in texts if each not in SHOWN} for kind, texts in found.items()}


PROBLEMS = [load_problem(path.stem) for path in list_problems()]
# One problem may show what another hides: three numbers in a row are not many.
SHOWN = "".join(shown_of(problem) for problem in PROBLEMS)
SECRETS = {problem.slug: secrets_of(problem) for problem in PROBLEMS}


def test_there_is_something_to_look_for() -> None:
    """Else the walk would find nothing, whatever it met."""
    kinds = {kind for secrets in SECRETS.values() for kind, texts in secrets.items() if texts}
    assert kinds == {"reference", "probe", "generator", "wrong solutions", "hidden inputs"}
    assert all(secrets["reference"] for secrets in SECRETS.values())


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    """A public site where somebody has left much."""
    with crowd_at(tmp_path_factory.mktemp("crawl")) as made:
        other = made.person("somebody")
        send(made, other, f"{WRONG}{MARK} = 1\n")
        other.post(f"/problems/{SLUG}/note", data={"note": NOTE})
        other.post("/problems/auc-by-pairs/draft", data={"source": MARK})
        yield made


def send(crowd: Crowd, client: TestClient, source: str, kind: str = "submit") -> str:
    """Submit and wait; return the path of the result."""
    told = client.post(f"/problems/{SLUG}/{kind}", data={"source": source})
    path = str(told.headers["location"])
    for _ in range(400):
        found = crowd.desk.store.submission(path.rpartition("/")[2])
        if found is not None and found.state == "done":
            return path
        time.sleep(0.05)
    raise AssertionError("no result")


def own_things(crowd: Crowd, client: TestClient, role: str) -> list[str]:
    """Have somebody do what makes pages; return addresses that no link may lead to."""
    if role == "nobody":
        return []
    paths = [send(crowd, client, WRONG)]
    paths.append(send(crowd, client, "def average_ranks(x):\n    raise ValueError(x)\n"))
    paths.append(send(crowd, client, WRONG, "run"))
    if role != "learner":
        path = client.post("/classes", data={"name": "Class"}).headers["location"]
        form = {"title": "Week", "slugs": [SLUG]}
        client.post(f"{path}/assignments/new", data=form)
        code = re.search(r'<code class="chip">(\w+)', client.get(path).text)
        assert code is not None
        other = crowd.person("somebody")
        other.post("/classes/join", data={"code": code[1]})
        paths += [path, f"{path}/table.csv"]
        paths.append(f"{path}?learner={crowd.number_of('somebody')}&slug={SLUG}")
    numbers = [each.rpartition("/")[2] for each in paths[:3]]
    return paths + [f"/api/v1/submissions/{number}" for number in numbers]


def every_route(crowd: Crowd) -> list[str]:
    """Every address of every route, filled in with all that there is."""
    others = crowd.desk.store.submissions(crowd.number_of("somebody"))[0].id
    found = []
    for module in ROUTERS:
        for route in module.router.routes:
            if "GET" not in getattr(route, "methods", ()):
                continue
            path = str(route.path)  # type: ignore[attr-defined]
            if "{slug}" in path:
                found += [path.replace("{slug}", slug) for slug in SECRETS]
            elif "{number}" in path and "class" not in path:
                found.append(path.replace("{number}", others))
            else:
                found.append(re.sub(r"\{\w+\}", "1", path))
    return found


def walked(client: TestClient, start: list[str]) -> Iterator[tuple[str, str]]:
    """Follow every link from some pages; yield addresses and what is there."""
    left, seen = list(start), set(start)
    while left:
        path = left.pop()
        if path.startswith(("/static/", "/oauth/")) or path.endswith("/events"):
            continue
        answer = client.get(path)
        if answer.status_code == 303:
            continue
        data = answer.content
        yield path, data.decode("utf-8", "replace")
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        for link in re.findall(r'href="(/[^"#]*)', answer.text):
            target = html.unescape(link)
            query = urlsplit(target).query
            if target not in seen and "lang=" not in query and len(seen) < 400:
                seen.add(target)
                left.append(target)


@pytest.mark.parametrize("role", ["nobody", "learner", "author", "admin"])
def test_nobody_is_told_what_nobody_may_know(role: str, crowd: Crowd) -> None:
    """No reference, no hidden input, no wrong solution, nothing that somebody else wrote."""
    client = crowd.somebody() if role == "nobody" else crowd.person(f"the-{role}", role)
    start = ["/", *every_route(crowd), *own_things(crowd, client, role)]
    pages = 0
    for path, text in walked(client, start):
        pages += 1
        plain = squeezed(html.unescape(re.sub(r"<[^>]*>", "", text)))
        bodies = (plain, squeezed(text.replace("\\n", "\n").replace('\\"', '"')))
        for body in bodies:
            assert MARK not in body, path
            assert NOTE not in body, path
            for slug, secrets in SECRETS.items():
                for kind, texts in secrets.items():
                    for secret in texts:
                        assert secret not in body, (path, slug, kind, secret)
    assert pages > (60 if role == "nobody" else 90)


def test_an_export_is_ones_own(crowd: Crowd) -> None:
    """A zip is not text, so the walk does not see into it."""
    import io
    import zipfile

    data = crowd.person("somebody").get("/export").content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert any(MARK.encode() in archive.read(name) for name in archive.namelist())
    data = crowd.person("the-learner").get("/export").content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            assert MARK.encode() not in content
            for secrets in SECRETS.values():
                text = squeezed(content.decode("utf-8", "replace").replace("\\n", "\n"))
                assert not [s for texts in secrets.values() for s in texts if s in text], name
