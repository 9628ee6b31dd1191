"""The store of people: accounts, classes, judging anew, backups, cleaning up."""

from __future__ import annotations

import json
import shutil
import threading
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import empty_postgres
from sqlalchemy import select

from grader.cli import main
from grader.site.passwords import is_right
from grader.site.store import (
    Account,
    BadLogin,
    IdentityTaken,
    LastWayIn,
    LoginTaken,
    OwnsCourses,
    QueueFull,
    Store,
    StoreRefused,
    migrate,
)
from grader.site.store.backup import TABLES, backup, restore
from grader.site.store.engine import open_engine
from grader.site.store.purge import purge

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
SLUG = "two-sum"


def person(store: Store, login: str = "ann") -> Account:
    """A learner with a password."""
    return store.accounts.add(login, login.title(), "hash", "learner", NOW)


def report(verdict: str, passed: int = 3, digest: str = "d1", **more: Any) -> dict[str, Any]:
    """What the store reads of a report."""
    usage = {"wall_ms": 9.0, "cpu_ms": 4.5, "memory_mb": 0.0}
    cases = [{"case_name": "one", "verdict": verdict, "message": "secret"}]
    return {
        "verdict": verdict,
        "passed": passed,
        "total": 3,
        "usage": usage,
        "cases": cases,
        "digests": {"spec": digest},
        **more,
    }


def judged(
    store: Store,
    learner: int,
    verdict: str,
    *,
    slug: str = SLUG,
    at: datetime = NOW,
    kind: Any = "submit",
    passed: int = 3,
    total: int = 3,
    digest: str = "d1",
) -> str:
    """Send a submission and judge it; return its id."""
    sent = store.add_submission(learner, slug, f"secret = {verdict!r}", kind, at)
    (claimed,) = store.claim(at, MINUTE, 1)
    assert claimed.id == sent.id
    assert store.finish(sent.id, claimed.attempt, report(verdict, passed, digest, total=total), at)
    return sent.id


# --- accounts -----------------------------------------------------------------------------------


def test_a_login_is_found_however_it_is_typed(store: Store) -> None:
    """And is taken for all of these."""
    made = person(store, "Minh.Anh")
    assert made.login == "minh.anh"
    assert store.accounts.find(" MINH.ANH ") == made == store.accounts.by_id(made.id)
    assert store.accounts.find("\uff4d\uff49\uff4e\uff48.anh") == made  # full-width letters
    with pytest.raises(LoginTaken, match=r"minh\.anh"):
        person(store, "MINH.ANH")
    store.local_learner(NOW)
    assert store.accounts.find("") is None


@pytest.mark.parametrize("login", ["", "a", "-ab", "a b", "a/b", "x" * 41, "é\u0301x", "a\0b"])
def test_a_bad_login_is_refused(login: str, store: Store) -> None:
    """A sentence says what a good one is."""
    with pytest.raises(BadLogin, match="2 to 40 characters"):
        person(store, login)
    assert store.accounts.find(login) is None


def test_odd_names_are_kept_as_far_as_a_database_can(store: Store) -> None:
    """NUL and lone surrogates are in no name."""
    made = store.accounts.add("odd", "  A\0 \ud800 Đặng\n陈 ", None, "learner", NOW)
    assert made.name == "A ? Đặng 陈"
    store.accounts.set_name(made.id, "x" * 200)
    found = store.accounts.by_id(made.id)
    assert found is not None
    assert found.name == "x" * 80


def test_accounts_are_searched_in_pages(store: Store) -> None:
    """By part of login or name; what a database takes for a pattern is none."""
    for n in range(5):
        person(store, f"learner{n}")
    store.accounts.add("other", "Le%arn_er", None, "author", NOW)
    store.local_learner(NOW)
    first = store.accounts.search("LEARNER", None, 3)
    assert [each.login for each in first] == ["learner0", "learner1", "learner2"]
    assert [each.login for each in store.accounts.search("learner", "learner2")] == [
        "learner3",
        "learner4",
    ]
    assert [each.login for each in store.accounts.search("e%a")] == ["other"]
    assert len(store.accounts.search()) == 6


@pytest.mark.parametrize("query", ["Đặng", "đặng", "ĐẶNG VĂN", "\u0111a\u0323\u0306ng", "陈"])
def test_names_are_found_in_any_script(query: str, store: Store) -> None:
    """SQLite folds the letters of English alone; accents may be typed apart from their letters."""
    for login, name in (("dang", "Đặng Văn 陈"), ("dan", "Dan")):
        store.accounts.add(login, name, None, "learner", NOW)
    assert [each.login for each in store.accounts.search(query)] == ["dang"]


def test_a_session_lasts_as_long_as_it_is_used(store: Store) -> None:
    """And its row is not written at every request."""
    ann = person(store)
    opened = store.tickets.open_session(ann.id, b"d" * 32, NOW, DAY, "agent \ud800")
    found = store.tickets.session(b"d" * 32, NOW + MINUTE / 2)
    assert found == (ann, opened)
    assert store.tickets.sessions(ann.id, NOW)[0].last_seen == NOW
    later = NOW + DAY - MINUTE
    assert store.tickets.session(b"d" * 32, later) is not None
    assert store.tickets.sessions(ann.id, later)[0].last_seen == later
    assert store.tickets.session(b"d" * 32, NOW + DAY + MINUTE) is not None
    assert store.tickets.session(b"d" * 32, NOW + 3 * DAY) is None
    assert store.tickets.session(b"e" * 32, NOW) is None


def test_what_ends_sessions(store: Store) -> None:
    """Oneself, a new password, being shut."""
    ann = person(store)

    def opened() -> list[int]:
        store.tickets.end_sessions(ann.id)
        made = [store.tickets.open_session(ann.id, bytes([n]) * 32, NOW, DAY, "") for n in range(3)]
        return [each.id for each in made]

    first, second, _ = opened()
    assert store.tickets.end_session(ann.id, first)
    assert not store.tickets.end_session(ann.id, first)
    assert not store.tickets.end_session(ann.id + 1, second)
    assert store.tickets.end_sessions(ann.id, but=second) == 1
    assert [each.id for each in store.tickets.sessions(ann.id, NOW)] == [second]
    opened()
    store.accounts.set_password(ann.id, "new hash")
    assert store.tickets.sessions(ann.id, NOW) == []
    assert store.accounts.password_hash_of(ann.id) == "new hash"
    opened()
    store.accounts.set_disabled(ann.id, True)
    assert store.tickets.sessions(ann.id, NOW) == []


def test_a_token_opens_until_it_ends(store: Store) -> None:
    """By itself, by being revoked, by its account being shut."""
    ann = person(store)
    day = store.tickets.add_token(ann.id, "a day", b"1" * 32, NOW, DAY)
    ever = store.tickets.add_token(ann.id, "ever", b"2" * 32, NOW, None)
    assert store.tickets.token(b"1" * 32, NOW) == (ann, day)
    assert store.tickets.token(b"1" * 32, NOW + DAY) is None
    assert store.tickets.token(b"2" * 32, NOW + 1000 * DAY) is not None
    assert [each.last_used for each in store.tickets.tokens(ann.id)] == [NOW + 1000 * DAY, NOW]
    store.accounts.set_disabled(ann.id, True)
    assert store.tickets.token(b"2" * 32, NOW) is None
    store.accounts.set_disabled(ann.id, False)
    assert store.tickets.revoke_token(ann.id, ever.id)
    assert store.tickets.token(b"2" * 32, NOW) is None


def test_a_password_link_is_used_once_and_in_time(store: Store) -> None:
    """A new one makes the old one useless."""
    ann = person(store)
    accounts = store.accounts
    accounts.add_password_link(ann.id, b"1" * 32, NOW, DAY)
    accounts.add_password_link(ann.id, b"2" * 32, NOW, DAY)
    assert accounts.use_password_link(b"1" * 32, "h1", NOW) is None
    assert accounts.use_password_link(b"2" * 32, "h2", NOW + DAY) is None
    assert accounts.use_password_link(b"2" * 32, "h2", NOW) == ann
    assert accounts.use_password_link(b"2" * 32, "h3", NOW) is None
    assert accounts.password_hash_of(ann.id) == "h2"


def test_an_account_elsewhere_opens_one_here(store: Store) -> None:
    """One, and never the last way in is taken away."""
    ann = store.accounts.add("ann", "Ann", None, "learner", NOW)
    bob = person(store, "bob")
    store.accounts.link("school", "s1", ann.id, NOW)
    assert store.accounts.identity("school", "s1") == ann
    assert store.accounts.identity("school", "s2") is None
    with pytest.raises(IdentityTaken):
        store.accounts.link("school", "s1", bob.id, NOW)
    with pytest.raises(LastWayIn):
        store.accounts.unlink(ann.id, "school")
    store.accounts.set_password(ann.id, "hash")
    store.accounts.unlink(ann.id, "school")
    assert store.accounts.identities(ann.id) == []


def test_two_ways_in_taken_away_at_once_leave_one(store: Store) -> None:
    """Each alone would leave the other."""
    refused = []

    def unlink(learner: int, provider: str) -> None:
        try:
            store.accounts.unlink(learner, provider)
        except LastWayIn:
            refused.append(provider)

    for n in range(20):
        learner = store.accounts.add(f"ann{n}", "Ann", None, "learner", NOW).id
        for provider in ("school", "club"):
            store.accounts.link(provider, str(n), learner, NOW)
        threads = [
            threading.Thread(target=unlink, args=(learner, provider))
            for provider in ("school", "club")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store.accounts.identities(learner)) == 1
    assert len(refused) == 20


def test_a_deleted_account_leaves_nothing(store: Store, url: str) -> None:
    """But a teacher's classes are not lost by the way."""
    ann, bob = person(store), person(store, "bob")
    course = store.classes.add(ann.id, "Class", NOW)
    store.classes.join(str(course.join_code), bob.id, NOW)
    judged(store, bob.id, "accepted")
    store.save_note(bob.id, SLUG, "note", NOW)
    store.tickets.open_session(bob.id, b"1" * 32, NOW, DAY, "")
    store.tickets.add_token(bob.id, "t", b"1" * 32, NOW, None)
    store.accounts.link("school", "s", bob.id, NOW)
    store.accounts.delete(bob.id)
    with pytest.raises(OwnsCourses, match="Class"):
        store.accounts.delete(ann.id)
    store.accounts.delete(ann.id, courses_too=True)
    engine = open_engine(url)
    with engine.connect() as connection:
        assert [t.name for t in TABLES if connection.execute(select(t)).all()] == []
    engine.dispose()


# --- classes --------------------------------------------------------------------------------------


def test_a_code_is_typed_in_many_ways(store: Store) -> None:
    """Joining twice is joining once; a teacher does not attend the own class."""
    ann, bob = person(store), person(store, "bob")
    course = store.classes.add(ann.id, "Class", NOW)
    code = str(course.join_code)
    for typed in (code, code.lower(), f" {code[:4]}-{code[4:]} "):
        assert store.classes.join(typed, bob.id, NOW) == course
    assert store.classes.join(code, ann.id, NOW) == course
    assert [each.login for each in store.classes.members(course.id)] == ["bob"]
    assert store.classes.join("ACDEFGHJ", bob.id, NOW) is None
    store.classes.archive(course.id, True)
    assert store.classes.join(code, person(store, "cem").id, NOW) is None


def test_thirty_learners_join_at_once(store: Store) -> None:
    """As at the beginning of a lesson."""
    teacher = person(store)
    course = store.classes.add(teacher.id, "Class", NOW)
    learners = [person(store, f"learner{n}").id for n in range(30)]
    threads = [
        threading.Thread(target=store.classes.join, args=(course.join_code, each, NOW))
        for each in learners * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.learner for each in store.classes.members(course.id)) == learners


def test_assignments_come_by_due_date_and_when_they_open(store: Store) -> None:
    """Those that are never due come last; a class put away sets nothing."""
    ann, bob = person(store), person(store, "bob")
    course = store.classes.add(ann.id, "Class", NOW)
    store.classes.join(str(course.join_code), bob.id, NOW)
    ever = store.classes.add_assignment(course.id, "ever", ["b", "a"], None, None, NOW)
    later = store.classes.add_assignment(course.id, "later", ["a"], NOW + DAY, NOW + 3 * DAY, NOW)
    soon = store.classes.add_assignment(course.id, "soon", ["c"], NOW, NOW + DAY, NOW)
    assert store.classes.assignments(course.id) == [soon, later, ever]
    assert ever.slugs == ("b", "a")
    assert [each.title for _, each in store.classes.of_learner(bob.id, NOW)] == ["soon", "ever"]
    assert len(store.classes.of_learner(bob.id, NOW + DAY)) == 3
    store.classes.change_assignment(ever.id, "always", ["c", "d"], None, None)
    changed = store.classes.assignment(ever.id)
    assert changed is not None
    assert (changed.title, changed.slugs) == ("always", ("c", "d"))
    store.classes.delete_assignment(soon.id)
    store.classes.archive(course.id, True)
    assert store.classes.of_learner(bob.id, NOW + DAY) == []


def test_the_table_tells_how_each_learner_stands(store: Store) -> None:
    """Late, tried, not at all; runs, faults of ours and other people count for nothing."""
    teacher, ann, bob = person(store), person(store, "ann2"), person(store, "bob")
    stranger = person(store, "stranger")
    course = store.classes.add(teacher.id, "Class", NOW)
    for each in (ann, bob):
        store.classes.join(str(course.join_code), each.id, NOW)
    week = store.classes.add_assignment(course.id, "w", [SLUG, "other"], None, NOW + DAY, NOW)
    store.classes.add_assignment(course.id, "x", ["third"], None, None, NOW)
    judged(store, ann.id, "wrong_answer", passed=1)
    judged(store, ann.id, "internal_error", passed=0, at=NOW + MINUTE)
    judged(store, ann.id, "accepted", at=NOW + 2 * DAY)
    judged(store, bob.id, "accepted", at=NOW + MINUTE, slug="third")
    judged(store, bob.id, "wrong_answer", kind="run")
    judged(store, stranger.id, "accepted")
    judged(store, bob.id, "accepted", slug="unasked")
    store.add_submission(bob.id, "other", "x", "submit", NOW)
    found = {(c.learner, c.slug): c for c in store.classes.table(course.id, None)}
    assert set(found) == {(ann.id, SLUG), (bob.id, "third"), (bob.id, "other")}
    late = found[ann.id, SLUG]
    assert (late.solved, late.attempts, late.on_time) == (True, 2, False)
    assert (late.best_passed, late.total, late.last_verdict) == (3, 3, "accepted")
    assert late.first_solved == late.last == NOW + 2 * DAY
    assert found[bob.id, "third"].on_time
    waits = found[bob.id, "other"]
    assert (waits.solved, waits.attempts, waits.last_verdict) == (False, 1, None)
    assert {c.slug for c in store.classes.table(course.id, week.id)} == {SLUG, "other"}


def test_the_best_in_the_table_has_its_own_number_of_cases(store: Store) -> None:
    """A problem may have fewer cases since; five of three would be nonsense."""
    teacher, bob = person(store), person(store, "bob")
    course = store.classes.add(teacher.id, "Class", NOW)
    store.classes.join(str(course.join_code), bob.id, NOW)
    store.classes.add_assignment(course.id, "w", [SLUG], None, None, NOW)
    judged(store, bob.id, "wrong_answer", passed=5, total=6)
    judged(store, bob.id, "time_limit_exceeded", passed=2, total=3)
    (cell,) = store.classes.table(course.id, None)
    assert (cell.best_passed, cell.total) == (5, 6)
    assert cell.last_verdict == "time_limit_exceeded"


def test_a_teacher_sees_attempts_without_what_was_written(store: Store) -> None:
    """Verdicts of cases, and nothing of the code, the values or the messages."""
    ann = person(store)
    judged(store, ann.id, "wrong_answer", passed=2)
    judged(store, ann.id, "accepted", at=NOW + MINUTE)
    newest, oldest = store.classes.attempts(ann.id, SLUG, 10)
    assert newest.cases == (("one", "accepted"),)
    assert (oldest.verdict, oldest.passed, oldest.created) == ("wrong_answer", 2, NOW)
    assert "secret" not in repr([newest, oldest])


# --- the queue ------------------------------------------------------------


def test_a_learner_has_only_so_many_waiting(store: Store) -> None:
    """However many threads they send them by; others are not held back."""
    ann, bob = person(store), person(store, "bob")
    refused = []

    def send() -> None:
        try:
            store.add_submission(ann.id, SLUG, "x", "submit", NOW, most_waiting=5)
        except QueueFull as error:
            refused.append(str(error))

    threads = [threading.Thread(target=send) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7
    assert "5 of your submissions wait already" in refused[0]
    store.add_submission(bob.id, SLUG, "x", "submit", NOW, most_waiting=5)
    (claimed,) = store.claim(NOW, MINUTE, 1)
    store.finish(claimed.id, 1, report("accepted"), NOW)
    store.add_submission(ann.id, SLUG, "x", "submit", NOW, most_waiting=5)


def test_the_state_of_the_queue(store: Store) -> None:
    """The wait is that of the oldest nobody took up."""
    ann = person(store)
    for n in range(3):
        store.add_submission(ann.id, SLUG, "x", "submit", NOW + n * MINUTE)
    store.claim(NOW, MINUTE, 1)
    state = store.queue_state(NOW + 3 * MINUTE)
    assert (state.queued, state.running, state.oldest_wait_s) == (2, 1, 120.0)


def test_judging_anew_keeps_the_verdict_until_there_is_another(store: Store) -> None:
    """And comes behind what learners wait for."""
    ann = person(store)
    old = judged(store, ann.id, "accepted")
    current = judged(store, ann.id, "wrong_answer", slug="other", digest="d2")
    assert store.rejudge(SLUG, "d2") == 1
    assert store.rejudge("other", "d2") == 0
    assert store.progress(ann.id)[SLUG].solved
    waiting = store.submission(old)
    assert waiting is not None
    assert (waiting.state, waiting.verdict, waiting.before_verdict) == (
        *("queued", "accepted"),
        "accepted",
    )
    fresh = store.add_submission(ann.id, SLUG, "x", "submit", NOW + DAY)
    assert store.waiting_before(old) == 1
    first, second = store.claim(NOW + DAY, MINUTE, 2)
    assert [first.id, second.id] == [fresh.id, old] or [first.id, second.id] == [old, fresh.id]
    claimed = second if second.id == old else first
    assert claimed.tries == 1
    store.finish(old, claimed.attempt, report("wrong_answer", 1, "d2"), NOW + DAY)
    (notice,) = store.notices.unseen(ann.id)
    assert (notice.submission, notice.slug) == (old, SLUG)
    assert (notice.before, notice.after) == ("accepted", "wrong_answer")
    assert store.notices.count(ann.id) == 1
    assert not store.progress(ann.id)[SLUG].solved
    store.notices.dismiss(ann.id)
    assert store.notices.unseen(ann.id) == []
    assert store.rejudge("other", None) == 1
    (again,) = [each for each in store.claim(NOW, MINUTE, 5) if each.id == current]
    store.finish(current, again.attempt, report("wrong_answer", 1, "d2"), NOW)
    assert store.notices.unseen(ann.id) == []


def test_what_is_being_judged_meanwhile_is_judged_anew_too(store: Store) -> None:
    """Perhaps by the problem as it was: whoever holds it cannot finish it any more."""
    ann = person(store)
    fresh = store.add_submission(ann.id, SLUG, "x", "submit", NOW)
    store.add_submission(ann.id, "other", "x", "submit", NOW)
    store.add_submission(ann.id, SLUG, "x", "run", NOW)
    (held, other, run) = store.claim(NOW, MINUTE, 3)
    assert store.rejudge(SLUG, "d2") == 1
    assert store.waiting_before(fresh.id) == 0
    assert not store.finish(held.id, held.attempt, report("accepted"), NOW)
    assert store.finish(other.id, other.attempt, report("accepted"), NOW)
    assert store.finish(run.id, run.attempt, report("accepted"), NOW)
    (again,) = store.claim(NOW, MINUTE, 3)
    assert (again.id, again.attempt, again.tries) == (fresh.id, 2, 1)
    assert store.finish(again.id, again.attempt, report("wrong_answer", 1, "d2"), NOW)
    assert store.notices.unseen(ann.id) == []  # nobody was told another verdict


def test_judging_anew_loses_no_verdict_by_a_fault_of_ours(store: Store) -> None:
    """What was accepted stays accepted."""
    ann = person(store)
    number = judged(store, ann.id, "accepted")
    store.rejudge(SLUG, "d2")
    (claimed,) = store.claim(NOW, MINUTE, 1)
    store.finish(number, claimed.attempt, report("internal_error", 0), NOW)
    found = store.submission(number)
    assert found is not None
    assert (found.state, found.verdict, found.passed) == ("done", "accepted", 3)
    assert found.report is not None
    assert found.report["verdict"] == "accepted"
    assert store.notices.unseen(ann.id) == []


def test_a_fault_of_ours_is_no_attempt(store: Store) -> None:
    """Nobody has tried a problem because we failed."""
    ann = person(store)
    judged(store, ann.id, "internal_error")
    assert store.progress(ann.id) == {}
    judged(store, ann.id, "wrong_answer", at=NOW + MINUTE)
    assert store.progress(ann.id)[SLUG].attempts == 1
    assert store.verdict_counts() == {SLUG: {"wrong_answer": 1}}


# --- migration, backup, cleaning up ------------------------------------------------------------


def test_the_database_of_an_earlier_version_is_brought_up_to_date(url: str) -> None:
    """With what it holds."""
    migrate.upgrade(url, "0001")
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO learner (id, login, created) VALUES (1, '', '2026-01-01 00:00:00')"
        )
        connection.exec_driver_sql(
            "INSERT INTO submission (number, id, learner, slug, kind, created, state, attempt,"
            f" verdict, passed, total) VALUES (1, '{'a' * 32}', 1, 'two-sum', 'submit',"
            " '2026-01-01 00:00:00', 'done', 1, 'accepted', 3, 3)"
        )
        connection.exec_driver_sql("INSERT INTO submission_text (number, source) VALUES (1, 'x')")
    engine.dispose()
    store = Store(url)
    store.migrate()
    assert store.local_learner(NOW) == 1
    assert store.progress(1)[SLUG].solved
    assert store.rejudge(SLUG, "any") == 1
    store.close()


def filled(store: Store) -> None:
    """Put something into every table."""
    ann, bob = person(store), store.accounts.add("bob", "B\u1ed9", None, "author", NOW)
    store.accounts.link("school", "s", bob.id, NOW)
    store.tickets.add_token(ann.id, "t\0", bytes(range(32)), NOW, DAY)
    store.tickets.open_session(ann.id, b"1" * 32, NOW, DAY, "")
    store.accounts.add_password_link(ann.id, b"1" * 32, NOW, DAY)
    course = store.classes.add(bob.id, "Cl\ud800ass", NOW)
    store.classes.join(str(course.join_code), ann.id, NOW)
    store.classes.add_assignment(course.id, "w", [SLUG], NOW, NOW + DAY, NOW)
    judged(store, ann.id, "accepted")
    store.rejudge(SLUG, "d2")
    (claimed,) = store.claim(NOW, MINUTE, 1)
    store.finish(claimed.id, claimed.attempt, report("wrong_answer", 1, "d2"), NOW)
    store.add_submission(ann.id, SLUG, "\0\ud83d\ude00 x", "run", NOW, "{}")
    store.save_draft(ann.id, SLUG, "draft\ud800", NOW)


def rows(url: str) -> dict[str, list[Any]]:
    """Everything in a database that a backup has."""
    engine = open_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in TABLES
        }
    engine.dispose()
    return found


def target(store: Store, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of the other kind."""
    if store._url.startswith("postgresql"):
        return f"sqlite:///{tmp_path}/other.sqlite3"
    socket = request.getfixturevalue("postgres")
    return empty_postgres(socket)


@pytest.mark.slow
def test_a_backup_of_one_kind_is_restored_into_the_other(
    store: Store, url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Row by row, and it goes on counting from there."""
    filled(store)
    file, other = tmp_path / "backup.zip", target(store, request, tmp_path)
    backup(url, file)
    assert file.stat().st_mode & 0o777 == 0o600
    restore(file, other)
    assert rows(other) == rows(url)
    second = Store(other)
    made = second.accounts.add("cem", "Cem", None, "learner", NOW)
    assert second.add_submission(made.id, SLUG, "x", "submit", NOW).id
    second.close()


def test_a_backup_is_restored_into_an_empty_database_only(
    store: Store, url: str, tmp_path: Path
) -> None:
    """And leaves out what only opens a door; a site may run meanwhile."""
    filled(store)
    file = tmp_path / "backup.zip"
    assert backup(url, file)["learner"] == 2
    with pytest.raises(StoreRefused, match="already"):
        backup(url, file)
    with pytest.raises(StoreRefused, match="holds learners already"):
        restore(file, url)
    other = f"sqlite:///{tmp_path}/other.sqlite3"
    restore(file, other)
    assert rows(other) == rows(url)
    again = Store(other)
    assert again.tickets.session(b"1" * 32, NOW) is None
    again.close()


@pytest.mark.parametrize("damage", ["cut", "changed", "row gone", "member gone", "version"])
def test_a_damaged_backup_restores_nothing(damage: str, tmp_path: Path) -> None:
    """Not even the tables."""
    url, other = f"sqlite:///{tmp_path}/a.sqlite3", tmp_path / "b.sqlite3"
    store = Store(url)
    filled(store)
    store.close()
    file, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    backup(url, file)
    _damage(damage, file, bad)
    with pytest.raises(StoreRefused):
        restore(bad, f"sqlite:///{other}")
    assert not other.exists()


def test_a_backup_whose_bytes_rot_is_refused_or_whole(tmp_path: Path) -> None:
    """Wherever the disk fails: in a table, a header or the list of contents."""
    url = f"sqlite:///{tmp_path}/a.sqlite3"
    store = Store(url)
    filled(store)
    store.close()
    file, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    backup(url, file)
    good, whole, refused = file.read_bytes(), rows(url), 0
    for place in range(0, len(good), 40):
        bad.write_bytes(good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :])
        other = f"sqlite:///{tmp_path}/{place}.sqlite3"
        try:
            restore(bad, other)
        except StoreRefused:
            refused += 1
        else:
            assert rows(other) == whole  # it is of the zip's own, such as a date
    assert refused > len(good) // 80


FORGED = {
    "a line that is no JSON": ("submission.jsonl", b"{oops\n"),
    "a line that is no object": ("submission.jsonl", b"null\n"),
    "a manifest that is no JSON": ("manifest.json", b"{"),
    "a manifest that is no object": ("manifest.json", b"[]"),
    "a manifest without tables": (
        "manifest.json",
        json.dumps({"format": 1, "revision": migrate.newest_revision()}).encode(),
    ),
}


@pytest.mark.parametrize(("member", "content"), FORGED.values(), ids=FORGED)
def test_what_is_no_backup_is_refused_before_anything_is_made(
    member: str, content: bytes, tmp_path: Path
) -> None:
    """Every check comes before the first row, and before the database."""
    url = f"sqlite:///{tmp_path}/a.sqlite3"
    Store(url).close()
    file, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    backup(url, file)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name == member else old.read(name))
    with pytest.raises(StoreRefused, match=r"bad\.zip.*nothing was restored"):
        restore(bad, f"sqlite:///{tmp_path}/b.sqlite3")
    assert not (tmp_path / "b.sqlite3").exists()


def _damage(kind: str, file: Path, bad: Path) -> None:
    if kind == "cut":
        bad.write_bytes(file.read_bytes()[:-100])
        return
    edits: dict[str, Callable[[bytes], bytes]] = {
        "changed": lambda data: data.replace(b"wrong_answer", b"accepted"),
        "row gone": lambda data: data.split(b"\n", 1)[1],
        "version": lambda data: json.dumps({**json.loads(data), "revision": "9"}).encode(),
    }
    name = {"version": "manifest.json"}.get(kind, "submission.jsonl")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w") as new:
        for member in old.namelist():
            data = old.read(member)
            if member == name:
                if kind == "member gone":
                    continue
                data = edits[kind](data)
            new.writestr(member, data)


def test_cleaning_up_keeps_what_counts(store: Store) -> None:
    """The latest accepted of each problem, what waits, and what is young."""
    ann = person(store)
    old = NOW - 100 * DAY
    judged(store, ann.id, "accepted", at=old)
    kept = judged(store, ann.id, "accepted", at=old)
    judged(store, ann.id, "wrong_answer", at=old)
    judged(store, ann.id, "accepted", at=old, kind="run")
    young = judged(store, ann.id, "wrong_answer", at=NOW)
    waits = store.add_submission(ann.id, SLUG, "x", "submit", old)
    store.tickets.open_session(ann.id, b"1" * 32, old, DAY, "")
    store.tickets.add_token(ann.id, "t", b"1" * 32, old, DAY)
    removed = store.purge(NOW, 30 * DAY, 30 * DAY)
    assert removed == {"session": 1, "token": 1, "password_link": 0, "run": 1, "submission": 2}
    assert {each.id for each in store.submissions(ann.id)} == {kept, young, waits.id}
    assert store.purge(NOW, 30 * DAY, 30 * DAY)["submission"] == 0


def test_what_is_judged_anew_meanwhile_is_not_removed(store: Store) -> None:
    """It was old and of no use when it was looked for, and is being judged now."""
    ann = person(store)
    judged(store, ann.id, "wrong_answer", at=NOW - 100 * DAY)
    waits = judged(store, ann.id, "wrong_answer", slug="other", at=NOW - 100 * DAY)

    def write() -> Any:
        store.rejudge("other", None)
        return store._write()

    removed = purge(store._read, write, NOW, None, 30 * DAY)
    assert removed["submission"] == 1
    assert [each.id for each in store.submissions(ann.id)] == [waits]


# --- the command ------------------------------------------------------------


def site(folder: Path, *arguments: str, typed: str | None = None) -> Any:
    """Run `grader site` on the database of a folder."""
    env = {"TENSORJUDGE_DATABASE": ""}
    return CliRunner().invoke(
        main, ["site", *arguments, "--data", str(folder)], input=typed, env=env
    )


def test_accounts_are_made_and_changed_from_the_shell(tmp_path: Path) -> None:
    """The first admin cannot be made otherwise."""
    good = "a horse and a staple\n"
    done = site(tmp_path, "account", "add", "Ann", "--role", "admin", typed=good * 2)
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "ann, admin")
    taken = site(tmp_path, "account", "add", "ann", "--password-stdin", typed=good)
    assert (taken.exit_code, "taken" in taken.output) == (2, True)
    weak = site(tmp_path, "account", "add", "bob", "--password-stdin", typed="short\n")
    assert (weak.exit_code, "at least 10" in weak.output) == (2, True)
    new = site(tmp_path, "account", "password", "ann", "--password-stdin", typed="another one!!\n")
    assert new.exit_code == 0
    site(tmp_path, "account", "role", "ann", "author")
    site(tmp_path, "account", "disable", "ann")
    assert site(tmp_path, "account", "list").output == "ann\tauthor\tAnn (disabled)\n"
    site(tmp_path, "account", "enable", "ann")
    store = Store(f"sqlite:///{tmp_path}/site.sqlite3")
    ann = store.accounts.find("ann")
    assert ann is not None
    assert is_right("another one!!", store.accounts.password_hash_of(ann.id))
    store.close()
    assert site(tmp_path, "account", "role", "nobody", "admin").exit_code == 2
    assert site(tmp_path, "purge", "--learner", "ann", typed="n\n").exit_code == 1
    assert site(tmp_path, "purge", "--learner", "ann", "--yes").output == "ann is deleted\n"
    assert site(tmp_path, "account", "list").output == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("backup", "/none/file.zip"),
        ("purge",),
        ("rejudge", "average-ranks"),
        ("account", "list"),
        ("account", "password", "ann", "--password-stdin"),
        ("account", "role", "ann", "admin"),
        ("account", "disable", "ann"),
        ("account", "enable", "ann"),
    ],
    ids=" ".join,
)
def test_a_folder_without_a_database_is_told_and_stays_empty(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """A mistyped folder would look like a site without accounts."""
    done = site(tmp_path / "typo", *arguments, typed="a horse and a staple\n")
    assert done.exit_code == 2
    assert "there is no database" in done.output
    assert "--data" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["account list", "backup {}/file.zip", "migrate"])
def test_a_server_that_does_not_answer_is_told_in_a_sentence(command: str, tmp_path: Path) -> None:
    """Without its password."""
    pytest.importorskip("psycopg")
    arguments = command.format(tmp_path).split()
    address = "postgresql://ann:secret@127.0.0.1:1/none"
    done = CliRunner().invoke(main, ["site", *arguments, "--database", address])
    assert done.exit_code == 2
    assert done.output.startswith("grader: the database")
    assert "cannot be used" in done.output
    assert "secret" not in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_site_is_backed_up_and_restored_from_the_shell(tmp_path: Path) -> None:
    """And nothing is overwritten by mistake."""
    typed = "a horse and a staple\n"
    site(tmp_path, "account", "add", "ann", "--password-stdin", typed=typed)
    file = tmp_path / "backup.zip"
    assert site(tmp_path, "backup", str(file)).output == f"{file}: 1 learner\n"
    assert site(tmp_path, "backup", str(file)).exit_code == 2
    assert site(tmp_path, "backup", str(file), "--force").exit_code == 0
    assert site(tmp_path, "restore", str(file)).exit_code == 2
    assert site(tmp_path / "new", "restore", str(file)).output == "restored 1 learner\n"
    assert site(tmp_path / "new", "account", "list").output.startswith("ann\t")
    assert site(tmp_path, "backup", "/none/such.zip").exit_code == 2
    assert site(tmp_path, "purge").output == "removed nothing\n"
    assert site(tmp_path, "migrate").exit_code == 0
    shutil.copy(__file__, tmp_path / "no.zip")
    assert site(tmp_path / "third", "restore", str(tmp_path / "no.zip")).exit_code == 2


def test_a_problem_is_judged_anew_from_the_shell(tmp_path: Path) -> None:
    """What today's version judged is left alone unless all is asked for."""
    from grader.spec import load_problem

    problem = load_problem("average-ranks")
    store = Store(f"sqlite:///{tmp_path}/site.sqlite3")
    learner = store.local_learner(NOW)
    for digest in ("old", problem.digest):
        judged(store, learner, "accepted", slug=problem.slug, digest=digest)
    store.close()
    assert site(tmp_path, "rejudge", problem.slug).output.startswith("1 submissions wait")
    assert site(tmp_path, "rejudge", "none").exit_code == 2
    assert site(tmp_path, "rejudge", problem.slug, "--all").output.startswith("1 submissions")
