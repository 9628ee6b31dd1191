"""Totals: counted exactly, in bounded memory, and shown whatever the names hold."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from batch_records import (
    FAULTS,
    VERDICTS,
    case,
    hostile_records,
    one_of_each,
    record,
    report,
    wrong_case,
)
from referencing import Registry, Resource
from rich.console import Console

from grader.batch import tally as tally_module
from grader.batch.failure import deciding_case, line_of, reason
from grader.batch.records import Record
from grader.batch.tally import TimeHistogram, least_accepted, tally_of, time_words
from grader.batch.tally_table import print_tally
from grader.batch.verdict_words import FAMILIES, LETTERS, rank
from grader.report import Verdict
from grader.specs.problem_schema import bundle_folder


def printed(records: list[Record], width: int = 160) -> str:
    """What `print_tally` prints; markup is on, as in a console nobody thought about."""
    out = io.StringIO()
    print_tally(Console(file=out, width=width), tally_of(records))
    return out.getvalue()


# --- counting ---------------------------------------------------------------------------------


def test_every_verdict_and_fault_is_counted_once() -> None:
    """The sum over verdicts is the number of submissions."""
    tally = tally_of(one_of_each())
    assert tally.verdicts == dict.fromkeys((*VERDICTS, *FAULTS), 1)
    assert (tally.total, tally.accepted, tally.cached) == (14, 1, 0)


def test_problems_and_people_are_counted_apart() -> None:
    """Each has its own row."""
    tally = tally_of(
        [
            record(0, "accepted", "a", who="x"),
            record(1, "wrong_answer", "a", who="y"),
            record(2, "accepted", "b", who="x", cached=True),
            record(3, "accepted", "b", who=None),
        ]
    )
    assert {slug: dict(p.verdicts) for slug, p in tally.problems.items()} == {
        "a": {"accepted": 1, "wrong_answer": 1},
        "b": {"accepted": 2},
    }
    assert tally.people == {"x": {"accepted": 2}, "y": {"wrong_answer": 1}}
    assert tally.cached == 1


def test_the_most_failed_case_counts_failures_and_not_what_was_skipped() -> None:
    """A case that was never run says nothing about how hard it is."""
    cases = [case(1), wrong_case(2), case(3, "skipped"), case(4, "runtime_error")]
    both = record(0, report=report("a", cases, "wrong_answer"), slug="a")
    one = record(
        1, report=report("a", [case(1), case(2), case(3), wrong_case(4)], "wrong_answer"), slug="a"
    )
    problem = tally_of([both, one]).problems["a"]
    assert problem.failed_cases == {"case 2": 1, "case 4": 2}
    assert problem.most_failed == ("case 4", 2)


def test_no_case_is_most_failed_where_all_pass() -> None:
    """Rather than an arbitrary one."""
    assert tally_of([record(0)]).problems["softmax"].most_failed is None


def test_what_never_ran_is_not_in_the_median_time() -> None:
    """Sources that do not parse take half a millisecond and would pull it down."""
    tally = tally_of([record(0, "invalid_submission"), record(1, "unreadable"), record(2)])
    assert sum(tally.problems["softmax"].times.counts.values()) == 1


@pytest.mark.parametrize(
    ("times_ms", "median_ms"),
    [
        ([8.25], 8.25),
        ([1.0, 2.0, 300.0], 2.0),
        ([1.0, 2.0, 3.0, 4.0], 2.0),  # the lower of the two in the middle
        ([0.01] * 5 + [5000.0] * 4, 0.01),
        ([20_000.0] * 9, 20_000.0),
    ],
)
def test_median_is_within_the_stated_error(times_ms: list[float], median_ms: float) -> None:
    """The table says 2 %."""
    histogram = TimeHistogram()
    for time_ms in times_ms:
        histogram.add(time_ms)
    assert histogram.median_ms == pytest.approx(median_ms, rel=0.022)


def test_a_histogram_has_a_bounded_number_of_counters() -> None:
    """Whatever is timed: zero, microseconds, days."""
    histogram = TimeHistogram()
    for n in range(20_000):
        histogram.add(math.exp(n / 400 - 20))
    histogram.add(0.0)
    assert len(histogram.counts) <= 641
    assert TimeHistogram().median_ms is None


def test_names_beyond_the_bound_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream of a million names must not be held."""
    for name in ("MAX_PEOPLE", "MAX_PROBLEMS", "MAX_CASES"):
        monkeypatch.setattr(tally_module, name, 2)
    records = [record(n, "wrong_answer", f"p{n}") for n in range(5)]
    cases = [wrong_case(n) for n in range(1, 6)]
    records.append(record(5, report=report("p0", cases, "wrong_answer"), slug="p0"))
    tally = tally_of(records)
    assert (len(tally.problems), tally.further_problems) == (2, 3)
    assert (len(tally.people), tally.further_people) == (2, 4)
    assert len(tally.problems["p0"].failed_cases) == 2
    assert tally.total == 6


def test_the_least_accepted_come_first_then_by_name() -> None:
    """Where not all rows are shown, these are the ones to look at."""
    tally = tally_of([record(0, who="b"), record(1, "wrong_answer", who="z"), record(2, who="a")])
    assert least_accepted(tally.people) == ["z", "a", "b"]


@pytest.mark.parametrize(
    ("time_ms", "shown"),
    [(0.04, "0.0 ms"), (9.94, "9.9 ms"), (312.4, "312 ms"), (1534.2, "1.53 s"), (34_000, "34 s")],
)
def test_times_are_shown_short(time_ms: float, shown: str) -> None:
    """Two or three digits."""
    assert time_words(time_ms) == shown


# --- words ------------------------------------------------------------------------------------


def test_every_verdict_has_letters_family_and_rank() -> None:
    """A new verdict must not fall through to "not judged" unseen."""
    judged = [verdict for verdict in Verdict if verdict is not Verdict.SKIPPED]
    assert set(LETTERS) == {*judged, *FAULTS}
    assert set(FAMILIES) == {*judged} - {Verdict.INTERNAL_ERROR}
    order = sorted(judged, key=rank)
    assert order[0] == Verdict.SECURITY_VIOLATION
    assert order[-1] == Verdict.ACCEPTED
    assert len({rank(verdict) for verdict in judged}) == len(judged)


# --- why a submission failed -------------------------------------------------------------------


def test_a_security_violation_is_explained_by_its_own_case() -> None:
    """It outweighs the wrong answer before it, so it is the one to show."""
    cases = [wrong_case(1), case(2, "security_violation", message="stopped")]
    held = record(0, report=report("a", cases, "security_violation"))
    decided = deciding_case(held)
    assert decided is not None
    assert (decided["case_id"], reason(held)) == (2, "stopped")


@pytest.mark.parametrize("verdict", [*VERDICTS, *FAULTS])
def test_all_but_accepted_have_a_reason(verdict: str) -> None:
    """A failure without a word helps nobody."""
    assert bool(reason(record(0, verdict))) is (verdict != "accepted")


@pytest.mark.parametrize(
    ("verdict", "message", "line"),
    [
        ("runtime_error", "ValueError: x (line 12 in softmax)", 12),
        ("runtime_error", "ValueError: x (line 12)", 12),
        ("runtime_error", "ValueError: x (line 3 in a) (line 12 in <lambda>)", 12),
        ("runtime_error", "ValueError: (line 3) was wrong", None),
        ("runtime_error", "ValueError: x (line 0)", None),
        ("runtime_error", "ValueError: x (line 99999999999999)", None),
        ("invalid_submission", "line 5, column 7: invalid syntax", 5),
        ("invalid_submission", "line 5: invalid syntax", 5),
        ("runtime_error", "line 5: said the submission", None),
        ("invalid_submission", "the submission does not define `f`", None),
    ],
)
def test_the_line_is_found_where_the_report_says_it(
    verdict: str, message: str, line: int | None
) -> None:
    """Only where the grader itself puts it: at the end, or before a syntax error."""
    held = record(0, report=report("a", [case(1, "skipped")], verdict, message=message))
    assert line_of(held) == line


def test_a_violation_gives_its_line() -> None:
    """The static check knows it best."""
    assert line_of(record(0, "forbidden")) == 4


# --- the table --------------------------------------------------------------------------------


def test_the_table_shows_counts_median_and_most_failed_case() -> None:
    """What the issue asks of the end of a run."""
    lines = printed([record(0), record(1, "wrong_answer"), record(2, "unreadable")]).splitlines()
    assert lines[0].rstrip() == "3 submissions · 1 accepted · 1 wrong answer · 1 unreadable"
    assert " ".join(lines[1].split()) == "problem all AC WA – median most failed case"
    assert " ".join(lines[2].split()) == "softmax 3 1 1 1 8.2 ms case 2 (1)"
    assert " ".join(lines[3].split()) == "who all AC WA –"
    assert lines[4].split() == ["w1", "1", "·", "1", "·"]


def test_at_most_thirty_rows_are_printed_and_the_rest_counted() -> None:
    """A course has three hundred students."""
    text = printed([record(n) for n in range(40)])
    assert "… 10 people more" in text
    assert sum(line.startswith("w") for line in text.splitlines()) == 31  # with the head


def test_nothing_is_printed_by_who_where_nobody_is_named() -> None:
    """An empty table would be noise."""
    assert "who" not in printed([replace(record(0), who=None)])


def test_an_empty_batch_is_one_line() -> None:
    """No tables without rows."""
    assert printed([]) == "0 submissions\n"


@pytest.mark.parametrize("width", [160, 40])
def test_hostile_names_reach_no_terminal_as_they_are(width: int) -> None:
    """Neither escapes, nor bidi marks, nor rich's own markup."""
    hostile = [*hostile_records(), record(99, who="[bold red]x[/]", slug="[link=http://x]y[/link]")]
    text = printed(hostile, width)
    assert not {c for c in text if c in "\x1b\x00\x07\x9b\u202e\u2066\u200f\u2028"}
    text.encode("utf-8")
    assert width < 160 or "[bold red]x[/]" in text


# --- the form of a record ----------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The schema of a record."""
    path = bundle_folder("schemas") / "batch_record.schema.json"
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def validator() -> jsonschema.Draft202012Validator:
    """Its validator, which finds the report's schema beside it."""
    path = bundle_folder("schemas") / "report.schema.json"
    other = Resource.from_contents(json.loads(path.read_text("utf-8")))
    registry: Registry[Any] = Registry().with_resource("report.schema.json", other)
    return jsonschema.Draft202012Validator(schema(), registry=registry)


def test_the_schema_is_valid_and_describes_every_field() -> None:
    """It is the reference page of the format."""
    jsonschema.Draft202012Validator.check_schema(schema())
    fields = [
        *schema()["properties"].values(),
        *schema()["properties"]["fault"]["properties"].values(),
    ]
    assert all(field["description"].endswith(".") for field in fields)
    assert schema()["properties"].keys() == {*schema()["required"]}


@pytest.mark.parametrize("held", one_of_each(), ids=lambda held: held.verdict)
def test_what_a_record_writes_is_what_the_schema_says(held: Record) -> None:
    """Of every verdict and fault, and it is read back as it was."""
    validator().validate(json.loads(held.to_json()))
    assert Record.from_json(held.to_json()) == held


@pytest.mark.parametrize(
    "changed",
    [
        {"fault": None, "report": None},
        {"fault": {"kind": "malformed", "message": "x"}},
        {"position": -1},
        {"id": None},
        {"more": 1},
        {"report": {"verdict": "accepted"}},
        {"fault": {"kind": "late", "message": "x"}, "report": None},
    ],
)
def test_the_schema_refuses_what_is_no_record(changed: dict[str, Any]) -> None:
    """Exactly one of report and fault, and no field that is not described."""
    raw = {**json.loads(record(0).to_json()), **changed}
    assert not validator().is_valid(raw)
