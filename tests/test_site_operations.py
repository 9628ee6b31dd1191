"""For those who run the site: health, figures, logs, and problems that change under it."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from public_site import Crowd, crowd_at
from test_site_app import RIGHT, SLUG, WRONG, judged

from grader.batch.executor import Job, OnCase
from grader.errors import InternalFault
from grader.site import logs
from grader.site.app import create_app
from grader.site.dispatcher import Dispatcher
from grader.site.events import CaseJudged, Dropped, Event, Finished, Hub
from grader.site.metrics import Metrics
from grader.site.settings import Settings
from grader.site.shelf import Shelf
from grader.site.store import QueueState, Store, Submission
from grader.spec import load_problem

SOUND = load_problem(SLUG).raw


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    """A public site."""
    with crowd_at(tmp_path_factory.mktemp("operations")) as made:
        yield made


# --- health and figures ----------------------------------------------------------------------


def test_a_site_that_is_well_says_so(crowd: Crowd) -> None:
    """By whatever name it is asked from this machine, and without HTTPS."""
    answer = crowd.somebody("127.0.0.1").get("http://127.0.0.1:8000/healthz")
    assert answer.status_code == 200
    assert answer.json()["ok"] is True
    assert crowd.somebody().get("http://192.0.2.7/healthz").status_code == 400


def test_a_site_that_is_not_well_names_the_part(tmp_path: Path) -> None:
    """A supervisor starts it again, and its operator knows why."""
    with crowd_at(tmp_path) as crowd:
        crowd.desk.dispatcher.stop()
        answer = crowd.somebody().get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {
        "ok": False,
        "database": "ok",
        "dispatcher": "ended",
        "judge": "ok",
        "problems": "ok",
    }


def test_figures_tell_of_queue_judge_and_requests(crowd: Crowd) -> None:
    """By route, not by address: they must not grow with what is asked for."""
    client = crowd.person("ann")
    path = client.post(f"/problems/{SLUG}/submit", data={"source": RIGHT}).headers["location"]
    while crowd.desk.store.submission(path.rpartition("/")[2]).state != "done":  # type: ignore[union-attr]
        time.sleep(0.05)
    text = crowd.somebody("127.0.0.1").get("/metrics").text
    for wanted in (
        'tensorjudge_queue_depth{state="queued"} 0.0',
        'tensorjudge_judge_seconds_count{verdict="accepted"} 1.0',
        "tensorjudge_wait_seconds_count 1.0",
        "tensorjudge_zygote_restarts_total 0.0",
        'route="/problems/{slug}/submit",status="303"} 1.0',
    ):
        assert wanted in text
    assert SLUG not in text


def test_figures_are_for_this_machine_or_with_the_token(tmp_path: Path) -> None:
    """They tell strangers how many there are and what they do."""
    settings = Settings(tmp_path, jobs=1, metrics_token="a long token")
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        assert client.get("/metrics").status_code == 404
        wrong = {"authorization": "Bearer a long toke"}
        assert client.get("/metrics", headers=wrong).status_code == 404
        right = {"authorization": "Bearer a long token"}
        assert client.get("/metrics", headers=right).status_code == 200


# --- logs -----------------------------------------------------------------------------------------


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged; the log is put back afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure(as_json=True, level=logging.INFO, stream=stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)


def test_a_submission_is_followed_by_its_number(lines: io.StringIO, tmp_path: Path) -> None:
    """Sent, claimed, finished; no code, no query and no cookie in any line."""
    with TestClient(
        create_app(Settings(tmp_path, jobs=1)), base_url="http://127.0.0.1:8000"
    ) as site:
        judged(site, f"/problems/{SLUG}/submit", f"{WRONG}# secret words\n")
        site.get("/?q=private")
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    told = [each for each in told if each["logger"].startswith("grader")]
    numbers = {each["submission"] for each in told if "submission" in each}
    assert len(numbers) == 1
    events = [each["event"] for each in told if each.get("submission") in numbers]
    assert sorted(events) == ["claimed", "finished", "sent"]
    assert [each["verdict"] for each in told if each["event"] == "finished"] == ["wrong_answer"]
    for hidden in ("secret words", "private", "average_ranks"):
        assert hidden not in str(told)
    routes = {each["route"] for each in told if each["event"] == "request"}
    assert "/problems/{slug}/submit" in routes


def test_what_somebody_sends_makes_no_line_of_its_own(lines: io.StringIO, tmp_path: Path) -> None:
    """A forged line would be believed."""
    with TestClient(
        create_app(Settings(tmp_path, jobs=1)), base_url="http://127.0.0.1:8000"
    ) as site:
        site.get('/problems/a%0A{"event":"forged"}')
    logs.log.warning("said", text='x\n{"event": "forged"}\x1b[2J\u202e')
    for line in lines.getvalue().splitlines():
        assert json.loads(line)["event"] != "forged"
    assert "\x1b" not in lines.getvalue()


# --- problems that change -----------------------------------------------------------------------


def write(folder: Path, name: str = SLUG, **changed: Any) -> Path:
    """Write a spec."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps({**SOUND, "slug": name, **changed}))
    return path


def test_a_shelf_reads_what_changes_and_keeps_what_was_sound(tmp_path: Path) -> None:
    """A new one, a changed one, a bad one, a cut one, a mended one, one that goes."""
    write(tmp_path)
    shelf = Shelf(tmp_path)
    assert [each.slug for each in shelf] == [SLUG]
    assert not shelf.refresh()

    other = write(tmp_path, "other-ranks", title="Other")
    assert shelf.refresh().read == ("other-ranks.json",)
    assert shelf.titles("en")["other-ranks"] == "Other"

    write(tmp_path, "other-ranks", title="Changed", atol=-1)
    assert shelf.refresh().refused == ("other-ranks.json",)
    assert "atol" in shelf.faults[other]
    assert shelf.titles("en")["other-ranks"] == "Other"

    other.write_text(other.read_text()[:100])
    assert shelf.refresh().refused == ("other-ranks.json",)
    assert shelf.find("other-ranks") is not None

    write(tmp_path, "other-ranks", title="Mended")
    assert shelf.refresh().read == ("other-ranks.json",)
    assert shelf.titles("en")["other-ranks"] == "Mended"
    assert not shelf.faults

    other.unlink()
    assert shelf.refresh().gone == ("other-ranks.json",)
    assert shelf.find("other-ranks") is None


def test_a_problem_whose_reference_fails_is_refused(tmp_path: Path) -> None:
    """Its form is right, and yet nobody could solve it."""
    folder = tmp_path / "problems"
    folder.mkdir()
    path = write(folder)
    settings = Settings(tmp_path, jobs=1, problems=folder)
    app = create_app(settings)
    with TestClient(app, base_url="http://127.0.0.1:8000") as site:
        path.write_text(
            json.dumps({**SOUND, "reference_code": "def average_ranks(x):\n    return 1 / 0\n"})
        )
        for _ in range(200):  # it looks by itself
            if app.state.desk.shelf.faults:
                break
            time.sleep(0.05)
        assert "ZeroDivisionError" in app.state.desk.shelf.faults[path]
        assert "Accepted" in judged(site, f"/problems/{SLUG}/submit", RIGHT)


def test_two_files_cannot_have_one_slug(tmp_path: Path) -> None:
    """Which one would be judged?"""
    write(tmp_path)
    (tmp_path / "zzz.json").write_text(json.dumps(SOUND))
    shelf = Shelf(tmp_path)
    assert len(list(shelf)) == 1
    assert len(shelf.faults) == 1


# --- judging anew ---------------------------------------------------------------------------------


def test_a_corrected_problem_is_judged_anew_and_learners_are_told(tmp_path: Path) -> None:
    """From the page of those who run the site to the notice of a learner."""
    folder = tmp_path / "problems"
    folder.mkdir()
    wrong_reference = "def average_ranks(x):\n    return [1.0 for _ in x]\n"
    write(folder, reference_code=wrong_reference)
    settings_folder = tmp_path / "data"
    with crowd_at(settings_folder) as crowd:
        shelf = Shelf(folder)
        object.__setattr__(crowd.desk, "shelf", shelf)
        crowd.desk.dispatcher._shelf = shelf
        learner, author = crowd.person("ann"), crowd.person("author", "author")
        path = learner.post(f"/problems/{SLUG}/submit", data={"source": WRONG}).headers["location"]
        number = path.rpartition("/")[2]
        assert done(crowd, number) == "accepted"
        write(folder)
        assert author.post("/admin/reload").status_code == 303
        page = author.post("/admin/rejudge", data={"slug": SLUG}).text
        assert "One submission waits to be judged anew" in page
        for _ in range(200):
            if done(crowd, number) == "wrong_answer":
                break
            time.sleep(0.05)
        assert "One of your verdicts changed" in learner.get("/").text
        assert path in learner.get("/notices").text
        learner.post("/notices")
        assert "verdicts changed" not in learner.get("/").text
        assert "0 submissions wait" in author.post("/admin/rejudge", data={"slug": SLUG}).text


def done(crowd: Crowd, number: str) -> str | None:
    """Wait for the verdict of a submission."""
    for _ in range(400):
        found = crowd.desk.store.submission(number)
        assert found is not None
        if found.state == "done":
            return found.verdict
        time.sleep(0.05)
    raise AssertionError("no result")


# --- the engine away ------------------------------------------------------------------------------


class Flaky:
    """An engine that is away at first."""

    slots = window = 1

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.versions: dict[str, str] = {}

    def submit(self, job: Job, on_case: OnCase | None = None) -> Future[dict[str, Any]]:
        """Refuse, or accept everything."""
        if self.refusals:
            self.refusals -= 1
            raise InternalFault("no node")
        future: Future[dict[str, Any]] = Future()
        usage = {"wall_ms": 1.0, "cpu_ms": 1.0, "memory_mb": 1.0}
        future.set_result({"verdict": "accepted", "passed": 1, "total": 1, "usage": usage})
        return future

    def close(self) -> None:
        """Nothing to end."""


def test_while_the_engine_is_away_submissions_wait(tmp_path: Path) -> None:
    """None is answered with a fault of ours, none is lost."""
    store = Store(f"sqlite:///{tmp_path}/site.sqlite3")
    now = datetime.now(UTC)
    sent = store.add_submission(store.local_learner(now), SLUG, RIGHT, "submit", now)
    metrics = Metrics(lambda: QueueState(0, 0, 0.0), lambda: 0)
    dispatcher = Dispatcher(store, Flaky(1), Shelf(), Hub(), metrics)
    dispatcher.start()
    try:
        for _ in range(200):
            found = store.submission(sent.id)
            assert found is not None
            if found.state == "done":
                break
            time.sleep(0.05)
        assert (found.verdict, found.attempt) == ("accepted", 2)
    finally:
        dispatcher.stop()
        store.close()


class Held:
    """An engine that answers when it is told to."""

    slots = window = 2

    def __init__(self) -> None:
        self.versions: dict[str, str] = {}
        self.futures: list[Future[dict[str, Any]]] = []

    def submit(self, job: Job, on_case: OnCase | None = None) -> Future[dict[str, Any]]:
        """Take a job."""
        if b"no judge" in job.source:
            raise LookupError("a fault nobody thought of")
        self.futures.append(Future())
        return self.futures[-1]

    def wait(self, count: int) -> None:
        """Wait until so many jobs came."""
        for _ in range(200):
            if len(self.futures) >= count:
                return
            time.sleep(0.05)
        raise AssertionError("no job")

    def answer(self, number: int, verdict: str) -> None:
        """End a job, once it is there."""
        self.wait(number + 1)
        usage = {"wall_ms": 1.0, "cpu_ms": 1.0, "memory_mb": 1.0}
        report = {"verdict": verdict, "passed": 1, "total": 1, "usage": usage}
        self.futures[number].set_result(report)

    def close(self) -> None:
        """Nothing to end."""


@pytest.fixture
def judged_by_hand(tmp_path: Path) -> Iterator[tuple[Store, Held, Dispatcher, Hub]]:
    """A dispatcher whose engine answers when it is told to."""
    store, engine, hub = Store(f"sqlite:///{tmp_path}/site.sqlite3"), Held(), Hub()
    metrics = Metrics(lambda: QueueState(0, 0, 0.0), lambda: 0)
    dispatcher = Dispatcher(store, engine, Shelf(), hub, metrics)
    dispatcher.start()
    yield store, engine, dispatcher, hub
    dispatcher.stop()
    store.close()


def test_what_is_judged_while_a_problem_changes_gets_the_later_result(
    judged_by_hand: tuple[Store, Held, Dispatcher, Hub],
) -> None:
    """And one result: the attempt that it was taken from counts for nothing, whenever it ends."""
    store, engine, dispatcher, _ = judged_by_hand
    now = datetime.now(UTC)
    sent = store.add_submission(store.local_learner(now), SLUG, RIGHT, "submit", now)
    dispatcher.wake()
    engine.wait(1)
    assert store.rejudge(SLUG, None) == 1
    dispatcher.wake()
    engine.wait(2)
    engine.answer(0, "accepted")
    found = store.submission(sent.id)
    assert found is not None
    assert (found.state, found.verdict) == ("running", None)
    engine.answer(1, "wrong_answer")
    found = store.submission(sent.id)
    assert found is not None
    assert (found.state, found.verdict, found.attempt) == ("done", "wrong_answer", 2)


def test_what_is_sent_to_a_free_seat_is_judged_at_once_and_the_rest_in_its_turn(
    judged_by_hand: tuple[Store, Held, Dispatcher, Hub],
) -> None:
    """No more than there are seats, nobody out of turn."""
    store, engine, dispatcher, _ = judged_by_hand
    now = datetime.now(UTC)
    learner = store.local_learner(now)

    def adding(number: int) -> Callable[[timedelta | None], Submission]:
        at = now + timedelta(seconds=number)
        return lambda lease: store.add_submission(
            learner, SLUG, f"# {number}", "submit", at, lease=lease
        )

    sent = [dispatcher.send(adding(number)) for number in range(4)]
    assert [each.state for each in sent] == ["running", "running", "queued", "queued"]
    assert len(engine.futures) == 2
    engine.answer(1, "accepted")
    engine.wait(3)
    engine.answer(2, "accepted")
    engine.wait(4)
    for number in (0, 3):
        engine.answer(number, "accepted")
    done = [store.submission(each.id) for each in sent]
    assert [each and each.state for each in done] == ["done"] * 4
    assert [each and each.attempt for each in done] == [1] * 4


def test_one_that_cannot_begin_ends_as_our_fault_and_holds_nobody_up(
    judged_by_hand: tuple[Store, Held, Dispatcher, Hub],
) -> None:
    """Neither those claimed with it nor its own seat."""
    store, engine, dispatcher, _ = judged_by_hand
    now = datetime.now(UTC)
    learner = store.local_learner(now)
    bad, good = [
        store.add_submission(learner, SLUG, source, "submit", now)
        for source in ("# no judge", "# fine")
    ]
    dispatcher.wake()
    engine.answer(0, "accepted")
    done = [store.submission(each.id) for each in (bad, good)]
    assert [each and each.verdict for each in done] == ["internal_error", "accepted"]


def test_cases_are_told_together_and_the_end_at_once() -> None:
    """Whoever watches is told each case, in order, and nothing after the end."""

    async def watch() -> list[Event | None]:
        hub = Hub()
        hub.attach()
        stream = hub.watch("a")
        seen = [await anext(stream)]
        for number in range(5):
            hub.publish("a", CaseJudged({"case_id": number}))
        hub.publish("b", CaseJudged({"case_id": 9}))
        hub.publish("a", Finished())
        seen += [event async for event in stream]
        late = hub.watch("b")
        seen += [await anext(late), await anext(late)]
        hub.publish("b", Dropped())
        hub.publish("b", Finished())
        seen += [event async for event in late]
        return seen

    cases = [CaseJudged({"case_id": number}) for number in range(5)]
    other = [None, CaseJudged({"case_id": 9}), Finished()]
    assert asyncio.run(watch()) == [None, *cases, Finished(), *other]


@pytest.mark.slow
def test_a_cluster_judges_for_the_site(tmp_path: Path) -> None:
    """The row waits in the database; the engine only executes."""
    pytest.importorskip("ray")
    settings = Settings(tmp_path, jobs=2, engine="ray")
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as site:
        for source, word in ((RIGHT, "Accepted"), (WRONG, "Wrong answer")):
            assert word in judged(site, f"/problems/{SLUG}/submit", source)
        assert site.post(f"/problems/{SLUG}/check", data={"source": RIGHT}).json() == []
        assert site.get("/healthz").json()["judge"] == "ok"
