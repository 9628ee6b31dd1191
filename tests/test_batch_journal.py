"""The output of a batch: whatever happens, what was written stays good and nothing comes twice."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path
from typing import Any

import pytest

from grader.batch.cache import KeptReport, ReportCache, may_be_kept
from grader.batch.journal import Journal, OutputLost, OutputRefused
from grader.batch.records import Fault, Record, read_records

RUN = {"input": "/in", "problems": "abc"}


def record(position: int, **fields: Any) -> Record:
    """A record that was not judged."""
    return Record(position, f"id {position}", "slug", fault=Fault("unreadable", "x"), **fields)


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Also after a line that was cut short."""
    path = tmp_path / "out.jsonl"
    with Journal(path, RUN) as journal:
        assert list(journal.records()) == []
        journal.write(record(0))
        second = journal.write(record(1))
    with path.open("ab") as file:
        file.write(b'{"position": 2, "id": "cut')
    with Journal(path, RUN) as journal:
        assert [found.position for _, found in journal.records()] == [0, 1]
        assert journal.done.mark == 2
        assert journal.read(second) == record(1)
        journal.write(record(2))
    assert list(read_records(path)) == [record(0), record(1), record(2)]


def test_positions_out_of_order_are_known(tmp_path: Path) -> None:
    """As they finish, not as they came."""
    with Journal(tmp_path / "out", RUN) as journal:
        for position in (3, 0, 1):
            journal.write(record(position))
        assert [n in journal.done for n in range(5)] == [True, True, False, True, False]
        journal.write(record(2))
        assert journal.done.mark == 4


def test_an_output_of_another_run_is_refused_and_says_how(tmp_path: Path) -> None:
    """Nothing is thrown away unasked."""
    path = tmp_path / "out.jsonl"
    with Journal(path, RUN) as journal:
        journal.write(record(0))
    with pytest.raises(
        OutputRefused, match=r"differs in: input\); name another output, or --fresh"
    ):
        Journal(path, RUN | {"input": "/other"})
    assert list(read_records(path)) == [record(0)]
    with Journal(path, RUN | {"input": "/other"}, fresh=True) as journal:
        assert list(journal.records()) == []


def test_a_file_of_no_batch_is_refused(tmp_path: Path) -> None:
    """It may be somebody's work."""
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(OutputRefused, match="of no batch"):
        Journal(path, RUN)
    assert path.read_text() == "years of work"
    assert not path.with_name("thesis.txt.run").exists()


def test_two_batches_cannot_write_one_output(tmp_path: Path) -> None:
    """The second refuses; the first goes on."""
    path = tmp_path / "out"
    with Journal(path, RUN) as journal:
        with pytest.raises(OutputRefused, match="another batch is writing"):
            Journal(path, RUN)
        journal.write(record(0))
    Journal(path, RUN).close()


def test_a_full_disk_stops_clearly_and_leaves_whole_lines(tmp_path: Path) -> None:
    """A file size limit stands for the disk."""
    path = tmp_path / "out"
    old_limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old_action = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Journal(path, RUN) as journal:
            journal.write(record(0))
            size = path.stat().st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, old_limit[1]))
            with pytest.raises(OutputLost, match="run the same command again"):
                journal.write(record(1))
            assert path.stat().st_size == size
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old_limit)
        signal.signal(signal.SIGXFSZ, old_action)
    with Journal(path, RUN) as journal:
        assert len(list(journal.records())) == 1
        journal.write(record(1))
    assert len(list(read_records(path))) == 2


@pytest.mark.parametrize(
    "name", ["plain", "\udcff odd", "a\nb", "<script>", "\x1b[31m", "名\u202e"]
)
def test_records_of_any_name_come_back(name: str, tmp_path: Path) -> None:
    """One line each, whatever is in them."""
    made = Record(0, name, name, who=name, fault=Fault("unreadable", name))
    line = made.to_json()
    assert line.isascii()
    assert "\n" not in line
    assert Record.from_json(line) == made


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"position": 0}', "null", "{"])
def test_what_is_no_record_is_told(line: str) -> None:
    """As a ValueError, whichever way it is broken."""
    with pytest.raises(ValueError, match=r"."):
        Record.from_json(line)


# --- the cache ------------------------------------------------------------------------------

REPORT = KeptReport({"verdict": "accepted"}, '{"verdict":"accepted","cases":[]}')


def test_a_kept_report_is_found_and_a_damaged_one_is_not(tmp_path: Path) -> None:
    """Damage is no reason to stop, nor to believe."""
    cache = ReportCache(tmp_path / "cache")
    key = "ab" * 32
    assert cache.find(key) is None
    cache.keep(key, REPORT)
    assert cache.find(key) == REPORT
    (file,) = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    for data in (b"", file.read_bytes()[:-1], file.read_bytes().replace(b"accepted", b"ACCEPTED")):
        file.write_bytes(data)
        assert cache.find(key) is None
    cache.keep(key, REPORT)
    assert cache.find(key) == REPORT


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    """It is only a cache."""
    (tmp_path / "file").write_text("")
    cache = ReportCache(tmp_path / "file" / "cache")
    cache.keep("ab" * 32, REPORT)
    assert cache.find("ab" * 32) is None


@pytest.mark.parametrize(
    ("verdict", "case", "kept"),
    [
        ("accepted", "accepted", True),
        ("wrong_answer", "wrong_answer", True),
        ("wrong_answer", "time_limit_exceeded", False),
        ("memory_limit_exceeded", "memory_limit_exceeded", False),
        ("internal_error", "skipped", False),
    ],
)
def test_limits_and_our_faults_are_not_kept(verdict: str, case: str, kept: bool) -> None:
    """Another machine, another day."""
    assert (
        may_be_kept({"isolation": "full", "verdict": verdict, "cases": [{"verdict": case}]}) is kept
    )


def test_the_journal_survives_the_end_of_its_process(tmp_path: Path) -> None:
    """SIGKILL leaves no time to close anything."""
    path = tmp_path / "out"
    child = os.fork()
    if child == 0:
        journal = Journal(path, RUN)
        journal.write(record(0))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    with Journal(path, RUN) as journal:
        assert len(list(journal.records())) == 1
