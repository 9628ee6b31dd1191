"""The store: no submission is lost or gets two results, whatever dies and whoever asks."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import exc, inspect, text

from grader.site.store import Progress, Store, StoreRefused, Submission, migrate
from grader.site.store.engine import open_engine
from grader.site.store.tables import metadata

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
LEASE = timedelta(seconds=60)
SLUG = "two-sum"
ODD = {
    "NUL": "a\0b",
    "lone surrogate": "x = '\ud800'",
    "two lone surrogates": "\ud83d\ude00",
    "line ends": "a\r\nb\rc\n",
    "astral": "😀 Đề bài 题目",
    "empty": "",
    "256 KiB": "é" * (128 * 1024),
}


def report(verdict: str = "accepted", passed: int = 3, total: int = 3, **more: Any) -> Any:
    """What the store reads of a report, and more."""
    usage = {"wall_ms": 9.0, "cpu_ms": 4.5, "memory_mb": 0.0}
    return {"verdict": verdict, "passed": passed, "total": total, "usage": usage, **more}


@pytest.fixture
def learner(store: Store) -> int:
    """The one learner."""
    return store.local_learner(NOW)


@pytest.fixture
def send(store: Store, learner: int) -> Callable[..., Submission]:
    """Add a submission, some seconds after NOW."""

    def add(source: str = "x = 1", slug: str = SLUG, at: datetime = NOW, **more: Any) -> Submission:
        return store.add_submission(learner, slug, source, more.pop("kind", "submit"), at, **more)

    return add


@pytest.fixture
def judge(store: Store, send: Callable[..., Submission]) -> Callable[..., Submission]:
    """Add a submission and finish it."""

    def run(*judged: Any, **sent: Any) -> Submission:
        added = send(**sent)
        (claimed,) = store.claim(NOW, LEASE, 1)
        assert claimed.id == added.id
        assert store.finish(added.id, 1, report(*judged), NOW)
        done = store.submission(added.id)
        assert done is not None
        return done

    return run


def test_the_local_learner_is_made_once(store: Store, url: str) -> None:
    """A second one would begin without progress."""
    first = store.local_learner(NOW)
    again = Store(url)
    assert again.local_learner(NOW + LEASE) == first
    again.close()


def test_a_submission_comes_back_as_it_was_sent(
    store: Store, learner: int, send: Callable[..., Submission]
) -> None:
    """All of it, with times in UTC whatever zone they were given in."""
    hanoi = timezone(timedelta(hours=7))
    sent = send("x = 1", kind="run", custom_input="{'a': 1}", at=NOW.astimezone(hanoi))
    assert sent == Submission(
        id=sent.id, learner=learner, slug=SLUG, kind="run", source="x = 1",
        custom_input="{'a': 1}", created=NOW, state="queued", attempt=0, lease_until=None,
        verdict=None, passed=None, total=None, cpu_ms=None, report=None, finished=None,
    )  # fmt: skip
    assert store.submission(sent.id) == sent
    assert sent.created.tzinfo is UTC
    assert len(sent.id) == 32


def test_a_report_comes_back_with_its_facts(judge: Callable[..., Submission]) -> None:
    """Lists and percentiles read the facts, pages the report."""
    done = judge("wrong_answer", 2, 3)
    assert (done.state, done.verdict, done.passed, done.total) == ("done", "wrong_answer", 2, 3)
    assert (done.cpu_ms, done.finished, done.lease_until) == (4.5, NOW, None)
    assert done.report == report("wrong_answer", 2, 3)


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_texts_come_back(
    store: Store, learner: int, send: Callable[..., Submission], odd: str
) -> None:
    """Submissions and their output are whatever somebody sent."""
    sent = send(odd, custom_input=odd)
    (claimed,) = store.claim(NOW, LEASE, 1)
    assert (claimed.source, claimed.custom_input) == (odd, odd)
    assert store.finish(sent.id, 1, report(stdout=odd, cases=[{odd: odd}]), NOW)
    done = store.submission(sent.id)
    assert done is not None
    assert done.report == report(stdout=odd, cases=[{odd: odd}])
    store.save_draft(learner, SLUG, odd, NOW)
    store.save_note(learner, SLUG, odd, NOW)
    assert (store.draft(learner, SLUG), store.note(learner, SLUG)) == (odd, odd)
    files = dict(store.export(learner))
    name = f"{SLUG}/2026-03-10T12-00-00Z-accepted"
    assert files[f"{name}.py"].decode("utf-8", "surrogatepass") == odd


@pytest.mark.parametrize("id", ["", "a\0b", "\ud800", "0" * 32, "x" * 32, "0" * 33])
def test_an_unknown_id_is_none(store: Store, learner: int, id: str) -> None:
    """It comes from an address that anybody may type."""
    assert store.submission(id) is None
    assert store.waiting_before(id) == 0
    assert store.submissions(learner, before=id) == []


@pytest.mark.parametrize("slug", ["", "../x", "a/b", "A", "a\0", "a b"])
def test_what_is_no_slug_is_refused(store: Store, learner: int, slug: str) -> None:
    """It would become the name of a file in an export."""
    with pytest.raises(ValueError, match="slug of a problem expected"):
        store.add_submission(learner, slug, "x", "submit", NOW)
    with pytest.raises(ValueError, match="slug of a problem expected"):
        store.save_note(learner, slug, "x", NOW)
    assert list(store.export(learner)) == []


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    """Nobody could say when it was."""
    with pytest.raises(exc.StatementError, match="a time with a zone expected"):
        store.local_learner(NOW.replace(tzinfo=None))


def test_a_submission_of_nobody_is_refused(store: Store) -> None:
    """Foreign keys are off in SQLite unless asked for."""
    with pytest.raises(exc.IntegrityError):
        store.add_submission(77, SLUG, "x", "submit", NOW)


def test_claims_take_the_oldest(store: Store, send: Callable[..., Submission]) -> None:
    """In the order of arrival, also where clocks agree; no more than asked for."""
    sent = [send().id for _ in range(5)]
    first = store.claim(NOW, LEASE, 3)
    assert [each.id for each in first] == sent[:3]
    assert {(each.state, each.attempt, each.lease_until) for each in first} == {
        ("running", 1, NOW + LEASE)
    }
    assert [store.waiting_before(each) for each in sent] == [0, 0, 0, 0, 1]
    assert store.claim(NOW, LEASE, 0) == store.claim(NOW, LEASE, -1) == []
    assert [each.id for each in store.claim(NOW, LEASE, 3)] == sent[3:]
    assert store.claim(NOW, LEASE, 3) == []


def test_a_lease_that_ran_out_is_claimed_anew_and_the_stale_attempt_refused(
    store: Store, send: Callable[..., Submission]
) -> None:
    """Its holder may only have been slow; still there is one result."""
    sent = send()
    store.claim(NOW, LEASE, 1)
    assert store.claim(NOW + LEASE - timedelta(microseconds=1), LEASE, 1) == []
    (second,) = store.claim(NOW + LEASE, LEASE, 1)
    assert (second.id, second.attempt) == (sent.id, 2)
    assert not store.finish(sent.id, 1, report("wrong_answer"), NOW)
    assert not store.release(sent.id, 1)
    assert store.renew([(sent.id, 1)], NOW, LEASE) == set()
    assert store.finish(sent.id, 2, report(), NOW)
    assert not store.finish(sent.id, 2, report("wrong_answer"), NOW)
    done = store.submission(sent.id)
    assert done is not None
    assert (done.verdict, done.report) == ("accepted", report())
    assert store.claim(NOW + 9 * LEASE, LEASE, 1) == []


def test_whoever_adds_where_nobody_waits_may_take_it_up_at_once(
    store: Store, learner: int, send: Callable[..., Submission]
) -> None:
    """As a claim would, without the way through the queue; and loses it like any other claim."""
    taken = store.add_submission(learner, SLUG, "x", "submit", NOW, lease=LEASE)
    assert (taken.state, taken.attempt, taken.tries) == ("running", 1, 1)
    assert taken.lease_until == NOW + LEASE
    assert store.submission(taken.id) == taken
    assert store.claim(NOW, LEASE, 5) == []
    (again,) = store.claim(NOW + LEASE, LEASE, 5)
    assert (again.id, again.attempt) == (taken.id, 2)
    assert not store.finish(taken.id, 1, report(), NOW)
    assert store.finish(taken.id, 2, report(), NOW)


def test_what_was_put_back_was_not_tried(store: Store, send: Callable[..., Submission]) -> None:
    """An engine that is away for long, or many restarts, must not end a submission."""
    sent = send()
    for attempt in range(1, 8):
        (claimed,) = store.claim(NOW, LEASE, 1)
        assert (claimed.attempt, claimed.tries) == (attempt, 1)
        assert store.release(sent.id, attempt)
    for tries in range(1, 4):  # who dies puts nothing back
        (claimed,) = store.claim(NOW + tries * LEASE, LEASE, 1)
        assert claimed.tries == tries


def test_nobody_overtakes_who_waits(
    store: Store, learner: int, send: Callable[..., Submission]
) -> None:
    """A free seat belongs to the oldest."""
    first = send()
    second = store.add_submission(learner, SLUG, "x", "submit", NOW, lease=LEASE)
    assert (second.state, second.attempt, second.lease_until) == ("queued", 0, None)
    assert [each.id for each in store.claim(NOW, LEASE, 5)] == [first.id, second.id]


def test_a_renewed_lease_holds(store: Store, send: Callable[..., Submission]) -> None:
    """As long as its holder lives."""
    sent, other = send(), send()
    store.claim(NOW, LEASE, 1)
    held = {sent.id: 1, other.id: 1, "0" * 32: 1}
    assert store.renew(held.items(), NOW + LEASE, LEASE) == {sent.id}
    assert [each.id for each in store.claim(NOW + LEASE, LEASE, 9)] == [other.id]
    assert [each.id for each in store.claim(NOW + 2 * LEASE, LEASE, 1)] == [sent.id]


def test_what_is_released_is_claimed_next(store: Store, send: Callable[..., Submission]) -> None:
    """It keeps its place; who released it can no longer finish it."""
    sent, _ = send(), send()
    store.claim(NOW, LEASE, 1)
    assert store.release(sent.id, 1)
    assert not store.release(sent.id, 1)
    assert not store.finish(sent.id, 1, report(), NOW)
    (again,) = store.claim(NOW, LEASE, 1)
    assert (again.id, again.attempt) == (sent.id, 2)


def test_history_comes_newest_first_in_pages(
    store: Store, learner: int, send: Callable[..., Submission], judge: Callable[..., Submission]
) -> None:
    """And by problem and kind; without reports where only verdicts are shown."""
    done = judge()
    rest = [send(slug=slug) for slug in (SLUG, "other", SLUG)]
    run = send(kind="run")
    assert store.submissions(learner) == [*reversed(rest), done]
    assert store.submissions(learner, limit=2) == [rest[2], rest[1]]
    assert store.submissions(learner, before=rest[1].id) == [rest[0], done]
    assert store.submissions(learner, "other") == [rest[1]]
    assert store.submissions(learner, kind="run") == [run]
    assert store.submissions(learner + 1) == []
    light = store.submissions(learner, reports=False)[-1]
    assert (light.report, light.verdict) == (None, "accepted")


def test_progress_tells_the_best_and_the_first_accepted(
    store: Store, learner: int, send: Callable[..., Submission], judge: Callable[..., Submission]
) -> None:
    """A later failure, a run, or a problem with more cases now takes nothing away."""
    hour = timedelta(hours=1)
    judge("wrong_answer", 1, 3)
    judge("accepted", 3, 3, at=NOW + hour)
    judge("accepted", 3, 3, at=NOW + 2 * hour)
    judge("wrong_answer", 2, 9, at=NOW + 3 * hour)
    judge("accepted", 5, 5, kind="run", at=NOW + 4 * hour)
    judge("wrong_answer", 0, 4, slug="tried")
    judge("accepted", 4, 4, slug="tried", kind="run")
    send(slug="waits", at=NOW + hour)
    assert store.progress(learner) == {
        SLUG: Progress(True, 4, 3, 3, NOW + hour, NOW + 3 * hour),
        "tried": Progress(False, 1, 0, 4, None, NOW),
        "waits": Progress(False, 1, 0, 0, None, NOW + hour),
    }
    assert store.progress(learner + 1) == {}


def test_days_are_those_of_the_zone(
    store: Store, learner: int, send: Callable[..., Submission]
) -> None:
    """Eight in the evening in London is tomorrow in Hanoi."""
    for hours in (-48, 0, 1, 8):
        send(at=NOW + timedelta(hours=hours))
    send(kind="run")
    tenth, since = date(2026, 3, 10), date(2026, 3, 9)
    assert store.days(learner, since) == {tenth: 3}
    hanoi = timezone(timedelta(hours=7))
    assert store.days(learner, since, hanoi) == {tenth: 2, date(2026, 3, 11): 1}
    assert store.days(learner, date(2026, 3, 8))[date(2026, 3, 8)] == 1


STREAKS = {
    "none": ([], 0),
    "today": ([0], 1),
    "yesterday": ([1], 1),
    "two days ago": ([2], 0),
    "several a day": ([0, 0, 1, 1, 2], 3),
    "until yesterday": ([1, 2, 3, 5], 3),
    "a gap": ([0, 2, 3], 1),
    "a clock ahead": ([-1, 0, 1], 2),
}


@pytest.mark.parametrize(("ago", "length"), STREAKS.values(), ids=STREAKS)
def test_a_streak_ends_today_or_yesterday(
    store: Store, learner: int, send: Callable[..., Submission], ago: list[int], length: int
) -> None:
    """The day is not over yet."""
    for days in ago:
        send(at=NOW - timedelta(days=days))
    send(kind="run")
    assert store.streak(learner, NOW.date()) == length


def test_only_accepted_submissions_give_times(
    store: Store, judge: Callable[..., Submission]
) -> None:
    """A wrong answer is often quick."""
    judge()
    judge("wrong_answer")
    judge(kind="run")
    judge(slug="other")
    assert store.accepted_times(SLUG) == [4.5]


def test_drafts_and_notes_keep_the_latest(store: Store, learner: int) -> None:
    """A save that was held up on its way does not undo a later one."""
    assert (store.draft(learner, SLUG), store.note(learner, SLUG)) == (None, None)
    for save, read in ((store.save_draft, store.draft), (store.save_note, store.note)):
        save(learner, SLUG, "second", NOW)
        save(learner, SLUG, "first", NOW - LEASE)
        assert read(learner, SLUG) == "second"
        save(learner, SLUG, "third", NOW)
        assert read(learner, SLUG) == "third"
    assert store.draft(learner, "other") is None


def test_hints_are_counted_one_at_a_time(store: Store, learner: int) -> None:
    """Each problem has its own count."""
    assert store.hints_shown(learner, SLUG) == 0
    assert [store.show_hint(learner, SLUG) for _ in range(3)] == [1, 2, 3]
    assert (store.hints_shown(learner, SLUG), store.hints_shown(learner, "other")) == (3, 0)


def test_giving_up_is_remembered(store: Store, learner: int) -> None:
    """Beside what else is kept there."""
    store.save_note(learner, SLUG, "hard", NOW)
    assert not store.given_up(learner, SLUG)
    store.give_up(learner, SLUG, NOW)
    store.give_up(learner, SLUG, NOW + LEASE)
    assert store.given_up(learner, SLUG)
    assert not store.given_up(learner, "other")
    assert store.note(learner, SLUG) == "hard"


def test_an_export_holds_all_that_a_learner_wrote_and_got(
    store: Store, learner: int, send: Callable[..., Submission], judge: Callable[..., Submission]
) -> None:
    """Under names of which no two are the same; more than is read at a time."""
    for n in range(25):
        judge(source=f"x = {n}")
    judge("wrong_answer", source="r", kind="run", custom_input="[1]")
    send("w", at=NOW + LEASE)
    store.save_draft(learner, "other", "d", NOW)
    store.save_note(learner, SLUG, "# n", NOW)
    listed = list(store.export(learner))
    files = dict(listed)
    assert len(files) == len(listed) == 2 * 25 + 3 + 1 + 2
    stem = f"{SLUG}/2026-03-10T12-00-00Z"
    assert json.loads(files[f"{stem}-accepted.json"]) == report()
    assert (files[f"{stem}-accepted.py"], files[f"{stem}-accepted-25.py"]) == (b"x = 0", b"x = 24")
    assert files[f"{stem}-run-wrong_answer.py"] == b"r"
    assert files[f"{stem}-run-wrong_answer-input.txt"] == b"[1]"
    assert files[f"{SLUG}/2026-03-10T12-01-00Z-waiting.py"] == b"w"
    assert (files["other/draft.py"], files[f"{SLUG}/note.md"]) == (b"d", b"# n")
    assert list(store.export(learner + 1)) == []


# --- many at once ---

_SCRIPT_HEAD = """
import os, signal, sys
from datetime import UTC, datetime, timedelta
from sqlalchemy import Engine, event
from grader.site.store import Store

url, learner = sys.argv[1], int(sys.argv[2])
now, lease = datetime.now(UTC), timedelta(minutes=5)
store = Store(url)
"""
CLAIM = """
while claimed := store.claim(now, lease, 3):
    for one in claimed:
        print(one.id, one.attempt)
"""
WRITE = """
from concurrent.futures import ThreadPoolExecutor
def write(n):
    for _ in range(20):
        store.show_hint(learner, "two-sum")
        store.add_submission(learner, "two-sum", "x = 1", "submit", now)
        store.claim(now, lease, 1)
with ThreadPoolExecutor(4) as pool:
    list(pool.map(write, range(4)))
"""
KILLED = """
event.listen(Engine, "commit", lambda connection: os.kill(os.getpid(), signal.SIGKILL))
store.claim(now, lease, 10)
"""


def _run(script: str, count: int, url: str, learner: int = 0) -> list[tuple[int, str, str]]:
    """Run a script in several processes; return code, output and errors of each."""
    command = [sys.executable, "-c", _SCRIPT_HEAD + script, url, str(learner)]
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) for _ in range(count)
    ]
    try:
        outputs = [process.communicate(timeout=120) for process in processes]
    finally:
        for process in processes:
            process.kill()
    return [(process.returncode, *out) for process, out in zip(processes, outputs, strict=True)]


def _lines(ended: list[tuple[int, str, str]]) -> list[str]:
    """Return what processes printed, which must have ended well."""
    assert [(code, err) for code, _, err in ended] == [(0, "")] * len(ended)
    return [line for _, out, _ in ended for line in out.splitlines()]


def test_several_processes_claim_each_submission_once(
    store: Store, url: str, send: Callable[..., Submission]
) -> None:
    """A submission judged twice costs twice, and may tell two stories."""
    sent = {send().id for _ in range(200)}
    claimed = _lines(_run(CLAIM, 4, url))
    assert sorted(claimed) == sorted(f"{each} 1" for each in sent)


def test_eight_writers_that_read_first_never_meet_a_lock(
    store: Store, url: str, learner: int
) -> None:
    """A deferred transaction that reads, then writes, fails at once if another wrote meanwhile."""
    assert _lines(_run(WRITE, 2, url, learner)) == []  # of four threads each
    assert store.hints_shown(learner, SLUG) == 160
    found = store.submissions(learner, limit=999)
    assert {each.state for each in found} == {"running"}
    assert len(found) == 160


def test_a_claimer_killed_before_its_commit_took_nothing(
    store: Store, url: str, send: Callable[..., Submission]
) -> None:
    """Nor does it leave a lock behind."""
    sent = [send().id for _ in range(3)]
    assert _run(KILLED, 1, url) == [(-signal.SIGKILL, "", "")]
    claimed = store.claim(NOW, LEASE, 10)
    assert [(each.id, each.attempt) for each in claimed] == [(each, 1) for each in sent]


def test_several_processes_may_make_the_database(url: str) -> None:
    """The first start of a server with several workers."""
    learners = _lines(_run("store.migrate(); print(store.local_learner(now))", 3, url))
    assert len(learners) == 3
    assert len(set(learners)) == 1


# --- migrations ---


def test_migrations_make_the_tables_of_the_models_and_take_them_back(url: str) -> None:
    """What only one of the two has would be missing at somebody's upgrade."""
    migrate.upgrade(url)
    engine = open_engine(url, migrating=True)
    with engine.begin() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, metadata) == []
        assert migrate.is_current(connection)
    migrate.downgrade(url, "base")
    with engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]
        assert not migrate.is_current(connection)
    migrate.upgrade(url)
    with engine.begin() as connection:
        assert migrate.is_current(connection)


def test_a_migration_leaves_what_there_is(
    store: Store, url: str, judge: Callable[..., Submission]
) -> None:
    """It runs at every start."""
    done = judge()
    store.migrate()
    again = Store(url)
    assert again.submission(done.id) == done
    assert again.is_current()
    again.close()


@pytest.mark.slow
def test_on_postgresql_the_operator_says_when(postgres: Path) -> None:
    """A server that has several programs on it must not be changed by whichever starts first."""
    opened = Store(f"postgresql://postgres@/template1?host={postgres}")
    assert not opened.is_current()
    opened.close()


def test_a_newer_database_is_refused(store: Store, url: str) -> None:
    """An older program would write what the newer one does not expect."""
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'future'"))
    engine.dispose()
    assert not store.is_current()
    with pytest.raises(StoreRefused, match="of another version"):
        store.migrate()


def test_a_revision_without_a_change_is_empty(tmp_path: Path) -> None:
    """The next one is written by the tables' difference from the revisions."""
    made = migrate.new_revision("nothing new", tmp_path)
    assert made.parent == tmp_path
    assert made.name.endswith("_nothing_new.py")
    content = made.read_text("utf-8")
    assert "down_revision = " in content
    assert "op." not in content
    assert content.count("    pass\n") == 2


# --- addresses ---


@pytest.mark.parametrize(
    "address", ["", "x", "mysql://u:secret@h/d", "sqlite://", "sqlite:///:memory:"]
)
def test_other_databases_are_refused(address: str) -> None:
    """And no password is told."""
    with pytest.raises(StoreRefused, match="expected") as refused:
        Store(address)
    assert "secret" not in str(refused.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """And stays as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("no database " * 100)
    with pytest.raises(StoreRefused, match=r"notes\.txt.*file is not a database"):
        Store(f"sqlite:///{path}")
    assert path.read_text() == "no database " * 100


def test_sqlite_keeps_a_write_ahead_log(tmp_path: Path) -> None:
    """It lets readers read while one writes."""
    path = tmp_path / "site.sqlite3"
    Store(f"sqlite:///{path}").close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
