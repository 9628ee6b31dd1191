"""Whole batches: nothing lost, nothing judged twice, the same verdicts however they are run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from conftest import SEED_SLUG, seed_spec

from grader import Grader, grade_many, load_problem
from grader.batch.cache import ReportCache
from grader.batch.entries import Entry, UnreadableInput
from grader.batch.executor import Job, LocalPool
from grader.batch.journal import Journal
from grader.batch.problems import ProblemShelf
from grader.batch.records import Record, read_records
from grader.batch.runner import BatchRun
from grader.errors import InternalFault
from grader.specs.problem_schema import bundle_folder

EXAMPLES = sorted((bundle_folder("examples") / SEED_SLUG).glob("*.py"))
RIGHT = EXAMPLES[0].read_bytes()
VERDICTS = [
    "accepted",
    "wrong_answer",
    "wrong_answer",
    "time_limit_exceeded",
    "runtime_error",
    "forbidden",
    "security_violation",
]
QUICK = [n for n in range(len(EXAMPLES)) if n != 3]


class Counting:
    """An executor that counts what it is given."""

    def __init__(self, pool: LocalPool) -> None:
        self._pool = pool
        self.jobs: list[Job] = []
        self.slots = pool.slots
        self.versions = pool.versions

    @property
    def window(self) -> int:
        """The pool's."""
        return self._pool.window

    def submit(self, job: Job, on_case: Any = None) -> Any:
        """Count a job and have it done."""
        self.jobs.append(job)
        return self._pool.submit(job, on_case)

    def close(self) -> None:
        """The pool is the fixture's."""


@pytest.fixture(scope="module")
def pool() -> Iterator[LocalPool]:
    """Two submissions at a time."""
    with LocalPool(2) as made:
        yield made


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seed problem with a limit that its slow example reaches at once."""
    folder = tmp_path_factory.mktemp("problems")
    raw = seed_spec() | {"time_limit": 0.2}
    (folder / f"{SEED_SLUG}.json").write_text(json.dumps(raw))
    return folder


def entry(position: int, source: bytes = RIGHT, **fields: Any) -> Entry:
    """A submission to the seed problem."""
    return Entry(position, **{"id": f"id {position}", "slug": SEED_SLUG, "source": source} | fields)


def judged(
    out: Path, pool: LocalPool, entries: list[Entry], shelf: Path | None = None, **options: Any
) -> tuple[list[Record], int]:
    """The records of a run, and how many submissions it really judged."""
    counting = Counting(pool)
    with Journal(out, {"run": 1}) as journal:
        BatchRun(counting, journal, ProblemShelf(shelf).find, **options).run(entries)
    return list(read_records(out)), len(counting.jobs)


def without_times(record: Record) -> Any:
    """A record apart from what differs from run to run."""
    raw = json.loads(record.to_json())
    for case in (raw["report"] or {"cases": []})["cases"]:
        case.update(time_ms=0, cpu_ms=0, memory_mb=0)
    if raw["report"]:
        raw["report"]["usage"] = None
    raw["cached"] = None
    return raw


def test_every_submission_gets_one_record_in_order(
    tmp_path: Path, pool: LocalPool, shelf: Path
) -> None:
    """Verdicts of all kinds, and the slow one does not hold back the others' judging."""
    entries = [entry(n, EXAMPLES[n % 7].read_bytes() + b"# %d" % n) for n in range(14)]
    records, jobs = judged(tmp_path / "out", pool, entries, shelf)
    assert [record.position for record in records] == list(range(14))
    assert [record.verdict for record in records] == VERDICTS * 2
    assert jobs == 14


def test_the_same_is_judged_once_and_told_so(tmp_path: Path, pool: LocalPool) -> None:
    """In a run, whether the first is done or under way."""
    entries = [entry(n, EXAMPLES[QUICK[n % 3]].read_bytes()) for n in range(30)]
    records, jobs = judged(tmp_path / "out", pool, entries)
    assert jobs == 3
    assert [record.cached for record in records] == [False] * 3 + [True] * 27
    assert [record.verdict for record in records] == [
        "accepted",
        "wrong_answer",
        "wrong_answer",
    ] * 10


def test_a_cache_serves_the_next_run(tmp_path: Path, pool: LocalPool, shelf: Path) -> None:
    """What hit a limit is judged again."""
    cache = ReportCache(tmp_path / "cache")
    entries = [entry(n, path.read_bytes()) for n, path in enumerate(EXAMPLES)]
    first, jobs = judged(tmp_path / "one", pool, entries, shelf, cache=cache)
    assert jobs == 7
    second, jobs = judged(tmp_path / "two", pool, entries, shelf, cache=cache)
    assert jobs == 1  # the one that is too slow
    assert [r.cached for r in second] == [True, True, True, False, True, True, True]
    for before, after in zip(first, second, strict=True):
        if after.cached:
            assert before.report == after.report
        else:
            assert before.verdict == after.verdict


def test_what_cannot_be_judged_is_told_and_stops_nothing(tmp_path: Path, pool: LocalPool) -> None:
    """Unknown slugs, doubled ids, unreadable files."""
    from grader.batch.records import Fault

    entries = [
        entry(0, slug="nothing-like-it"),
        entry(1, id="twice"),
        entry(2, id="twice"),
        entry(3, source=None, fault=Fault("unreadable", "it is a link")),
        entry(4, slug=SEED_SLUG.replace("-", "_")),
    ]
    records, _ = judged(tmp_path / "out", pool, entries)
    assert [record.verdict for record in records] == [
        "unknown_problem",
        "accepted",
        "duplicate_id",
        "unreadable",
        "accepted",
    ]
    assert records[2].fault is not None
    assert records[2].fault.message == "'twice' stands at position 1 already"
    assert records[4].slug == SEED_SLUG


@pytest.mark.parametrize("order", [True, False])
def test_a_run_that_was_cut_off_goes_on(order: bool, tmp_path: Path, pool: LocalPool) -> None:
    """And ends as if it had not been."""
    entries = [entry(n, EXAMPLES[QUICK[n % 6]].read_bytes() + b"#%d" % (n % 9)) for n in range(24)]
    entries[20] = entry(20, id="id 3")  # doubles one from before the cut
    whole, _ = judged(tmp_path / "whole", pool, entries, in_order=order)
    part = tmp_path / "part"
    judged(part, pool, entries[:11], in_order=order)
    data = part.read_bytes()
    part.write_bytes(data[: len(data) - 40])
    records, jobs = judged(part, pool, entries, in_order=order)
    by_position = lambda record: record.position  # noqa: E731 - a key
    assert [without_times(r) for r in sorted(records, key=by_position)] == [
        without_times(r) for r in sorted(whole, key=by_position)
    ]
    assert jobs < 14


def test_verdicts_do_not_depend_on_jobs_or_order(tmp_path: Path, pool: LocalPool) -> None:
    """Side by side or one by one, forwards or backwards."""
    sources = [EXAMPLES[QUICK[n % 6]].read_bytes() + b"#%d" % n for n in range(18)]
    forwards, _ = judged(tmp_path / "a", pool, [entry(n, s) for n, s in enumerate(sources)])
    with LocalPool(1) as one:
        backwards, _ = judged(
            tmp_path / "b", one, [entry(n, s) for n, s in enumerate(reversed(sources))]
        )
    assert [r.verdict for r in forwards] == [r.verdict for r in reversed(backwards)]


def test_an_input_that_breaks_loses_nothing_before_the_break(
    tmp_path: Path, pool: LocalPool
) -> None:
    """What was under way is written."""

    def breaking() -> Iterator[Entry]:
        for number in range(12):
            yield entry(number, RIGHT + b"# %d" % number)
        raise UnreadableInput("cut")

    out = tmp_path / "out"
    with pytest.raises(UnreadableInput), Journal(out, {"run": 1}) as journal:
        BatchRun(pool, journal, ProblemShelf().find).run(breaking())
    assert [record.verdict for record in read_records(out)] == ["accepted"] * 12


def test_what_no_judge_lives_to_report_is_set_aside(tmp_path: Path, pool: LocalPool) -> None:
    """On a cluster a submission may end its judge each time; the others have their reports."""

    class Failing(Counting):
        def submit(self, job: Job, on_case: Any = None) -> Any:
            if b"poison" in job.source:
                failed: Future[Any] = Future()
                failed.set_exception(InternalFault("3 graders were lost with it"))
                return failed
            return super().submit(job, on_case)

    entries = [entry(0, RIGHT + b"# poison"), entry(1), entry(2, RIGHT + b"# poison")]
    out = tmp_path / "out"
    with Journal(out, {"run": 1}) as journal:
        BatchRun(Failing(pool), journal, ProblemShelf().find).run(entries)
    first, second, third = read_records(out)
    assert (first.verdict, second.verdict, third.verdict) == (
        "internal_error",
        "accepted",
        "internal_error",
    )
    assert first.fault is not None
    assert first.fault.message == "InternalFault: 3 graders were lost with it"


def test_cases_are_told_as_they_are_judged(pool: LocalPool) -> None:
    """A page shows the first before the last is run; hidden ones stay hidden."""
    problem = load_problem(SEED_SLUG)
    told: list[dict[str, Any]] = []
    job = Job(json.dumps(problem.raw), problem.digest, RIGHT)
    report = pool.submit(job, told.append).result(60)
    assert [case["case_name"] for case in told] == [c["case_name"] for c in report["cases"]]
    assert all(case["input"] is None for case in told if case["hidden"])


def test_what_brings_a_worker_down_is_set_aside(tmp_path: Path, pool: LocalPool) -> None:
    """The rest goes on."""
    source = "import os\nos.kill(os.getppid(), 9)\nos._exit(0)\n"
    entries = [entry(0, source.encode()), entry(1)]
    records, _ = judged(tmp_path / "out", pool, entries, static_check=False)
    assert records[0].verdict in ("runtime_error", "security_violation", "internal_error")
    assert records[1].verdict == "accepted"


# --- the command ----------------------------------------------------------------------------


def hand_in(folder: Path, count: int, slow: bool = False) -> Path:
    """A folder of submissions."""
    for number in range(count):
        who = folder / f"who {number}"
        who.mkdir(parents=True)
        text = RIGHT.decode() + f"# {number}\n"
        if slow:
            text = text.replace("    return", "    import time; time.sleep(0.02)\n    return")
        (who / f"{SEED_SLUG}.py").write_text(text)
    return folder


def command(*arguments: object) -> list[str]:
    """`grader batch ...` in a process of its own."""
    return [sys.executable, "-m", "grader", "batch", *map(str, arguments)]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, check=False)


def test_a_killed_run_is_resumed_by_the_same_command(tmp_path: Path) -> None:
    """SIGKILL, anywhere in the middle; twice."""
    source, out = hand_in(tmp_path / "in", 40, slow=True), tmp_path / "out.jsonl"
    for _ in range(2):
        process = subprocess.Popen(command(source, "--out", out, "--quiet"))
        before = out.stat().st_size if out.exists() else 0
        while not out.exists() or out.stat().st_size <= before:
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert 0 < len(out.read_bytes().splitlines()) < 40
    done = run(source, "--out", out)
    assert done.returncode == 0, done.stderr
    records = list(read_records(out))
    assert [record.position for record in records] == list(range(40))
    assert {record.verdict for record in records} == {"accepted"}


def test_ctrl_c_closes_the_journal_and_exits_130(tmp_path: Path) -> None:
    """And the run can go on."""
    source, out = hand_in(tmp_path / "in", 60, slow=True), tmp_path / "out.jsonl"
    process = subprocess.Popen(command(source, "--out", out, "--quiet"), stderr=subprocess.PIPE)
    while not out.exists() or not out.stat().st_size:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - began < 5
    assert told.decode().splitlines()[-1] == "grader: interrupted"
    assert out.read_bytes().endswith(b"\n")
    assert run(source, "--out", out, "--quiet").returncode == 0
    assert len(list(read_records(out))) == 60


def test_the_command_prints_a_table_and_writes_reports(tmp_path: Path) -> None:
    """All from one finished output."""
    folder = hand_in(tmp_path / "in", 2)
    shutil.copy(EXAMPLES[1], folder / "who 1" / f"{SEED_SLUG}.py")
    (folder / "who 1" / "unheard-of.py").write_text("x = 1\n")
    summary = tmp_path / "summary.md"
    points = tmp_path / "points.json"
    points.write_text(json.dumps({"problems": {SEED_SLUG: {"points": 10}}}))
    files = {kind: tmp_path / f"report.{kind}" for kind in ("junit", "csv", "html", "gradebook")}
    options = [part for kind, path in files.items() for part in (f"--{kind}", path)]
    done = subprocess.run(
        command(folder, "--out", tmp_path / "o", "--github", "--points", points, *options),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)},
    )
    assert done.returncode == 0, done.stderr
    assert "who 1" in done.stdout
    assert "::error file=" in done.stdout
    for path in (*files.values(), summary):
        assert path.stat().st_size > 100, path


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--expect", "accepted"], 1),
        (["--fail-on", "wrong_answer,forbidden"], 1),
        (["--fail-on", "runtime_error"], 0),
        (["--fail-on", "nonsense"], 2),
        (["--pattern", "{who}.py"], 2),
        (["--address", "1.2.3.4:5"], 2),
        (["--points", "p.json"], 2),
    ],
)
def test_exit_codes_are_chosen(options: list[str], code: int, tmp_path: Path) -> None:
    """A pull request fails for what its course says."""
    folder = hand_in(tmp_path / "in", 1)
    (folder / "x").mkdir()
    shutil.copy(EXAMPLES[1], folder / "x" / f"{SEED_SLUG}.py")
    assert run(folder, "--out", tmp_path / "out", "--quiet", *options).returncode == code


def test_an_output_of_another_run_is_refused(tmp_path: Path) -> None:
    """With what differs, and what to do."""
    first, second = hand_in(tmp_path / "a", 1), hand_in(tmp_path / "b", 1)
    out = tmp_path / "out"
    assert run(first, "--out", out, "--quiet").returncode == 0
    done = run(second, "--out", out, "--quiet")
    assert done.returncode == 2
    assert "is of another run (it differs in: input)" in done.stderr
    assert run(second, "--out", out, "--quiet", "--fresh").returncode == 0


def test_lines_on_standard_input_are_judged(tmp_path: Path) -> None:
    """As a training loop sends them."""
    line = {"id": "a", "slug": SEED_SLUG, "source": RIGHT.decode()}
    done = subprocess.run(
        command("-", "--out", tmp_path / "out"),
        input=json.dumps(line) + "\n{cut",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [r.verdict for r in read_records(tmp_path / "out")] == ["accepted", "malformed"]


# --- from Python ----------------------------------------------------------------------------


def test_grade_many_yields_reports_in_order(grader: Grader) -> None:
    """By slug or problem, with a grader of one's own or not."""
    problem = load_problem(SEED_SLUG)
    submissions = [
        (SEED_SLUG if n % 2 else problem, EXAMPLES[QUICK[n]].read_bytes()) for n in range(6)
    ]
    wanted = [VERDICTS[n] for n in QUICK]
    assert [str(report.verdict) for report in grade_many(submissions, grader=grader)] == wanted
    assert [str(report.verdict) for report in grade_many(submissions)] == wanted


def test_grade_many_reads_only_a_little_ahead(grader: Grader) -> None:
    """The submissions may have no end."""
    taken = 0

    def endless() -> Iterator[tuple[str, bytes]]:
        nonlocal taken
        while True:
            taken += 1
            yield SEED_SLUG, RIGHT

    reports = grade_many(endless(), grader=grader)
    assert next(reports).verdict == "accepted"
    reports.close()  # type: ignore[attr-defined]
    assert taken <= 16
    assert grader.grade(load_problem(SEED_SLUG), RIGHT).verdict == "accepted"
