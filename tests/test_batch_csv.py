"""CSV: one row a submission, one line a row, and nothing a spreadsheet computes."""

from __future__ import annotations

import csv
import io

import pytest
from batch_records import HOSTILE, hostile_record, hostile_records, one_of_each, record

from grader.batch.csv_table import COLUMNS, cell, write_csv
from grader.batch.records import Record


def table(records: list[Record]) -> list[dict[str, str]]:
    """What is written, read back."""
    return list(csv.DictReader(io.StringIO(text_of(records), newline="")))


def text_of(records: list[Record]) -> str:
    """What is written."""
    out = io.StringIO(newline="")
    write_csv(records, out)
    return out.getvalue()


def test_a_row_says_what_became_of_a_submission() -> None:
    """Every column, of one that was judged."""
    [row] = table([record(3, "wrong_answer", who="ann", cached=True)])
    assert row == {
        "position": "3",
        "id": "w3/softmax.py",
        "who": "ann",
        "slug": "softmax",
        "verdict": "wrong_answer",
        "passed": "3",
        "total": "4",
        "cpu_ms": "8.25",
        "wall_ms": "21.5",
        "memory_mb": "2.0",
        "attempts": "1",
        "cached": "1",
        "first_failing_case": "case 2",
        "message": "3 of 4 elements differ; 0.5 where 0.25 was expected at output[1]",
        "source_sha256": "b" * 64,
    }


def test_a_fault_has_no_numbers() -> None:
    """A zero would be a measurement."""
    [row] = table([record(0, "unreadable", who=None)])
    empty = {name for name, value in row.items() if value == ""}
    assert empty == {
        *("who", "passed", "total", "cpu_ms", "wall_ms", "memory_mb", "attempts"),
        *("first_failing_case", "source_sha256"),
    }
    assert (row["verdict"], row["message"]) == ("unreadable", "unreadable: why")


def test_rows_keep_the_order_of_the_records() -> None:
    """Whoever wants another sorts them."""
    assert [row["position"] for row in table(one_of_each()[::-1])] == [
        str(n) for n in reversed(range(14))
    ]


def test_an_empty_batch_has_its_header() -> None:
    """Programs that read it look for the names."""
    assert text_of([]) == ",".join(f'"{name}"' for name in COLUMNS) + "\n"


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_text_is_one_line_of_utf8_without_formulas(text: str, kind: int) -> None:
    """In every place that text from outside can take."""
    written = text_of([hostile_record(kind, text)])
    assert len(written.encode("utf-8").decode("utf-8").splitlines()) == 2
    assert "\x00" not in written
    [row] = csv.DictReader(io.StringIO(written, newline=""))
    assert row.keys() == set(COLUMNS)
    assert not any(
        value.lstrip(" \"'")[:1] in "=+@" and value[:1] != "'" for value in row.values() if value
    )


def test_every_row_has_every_column() -> None:
    """Quotes and commas inside a text end no cell."""
    rows = csv.reader(io.StringIO(text_of([*one_of_each(), *hostile_records()]), newline=""))
    assert {len(row) for row in rows} == {len(COLUMNS)}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "  '=1"),
        ('"=1', "\"'=1"),
        ("＝1", "'＝1"),
        ("x;=1", "x;'=1"),
        ("x; -1", "x; '-1"),
        ("\t=1", "\\x09=1"),
        ("shape (2, -3)", "shape (2, -3)"),
        ("a-b=c", "a-b=c"),
        ("Zoë 李", "Zoë 李"),
        ("\ud800", "\ufffd"),
        ("", ""),
    ],
)
def test_a_formula_is_disarmed_and_nothing_else_touched(text: str, shown: str) -> None:
    """Also where a semicolon ends a cell; names stay letter for letter."""
    assert cell(text) == shown


def test_joiners_stay_in_names() -> None:
    """A gradebook is matched by name; `क्‍ष` without its joiner is another word."""
    assert cell(HOSTILE["joiners"]) == HOSTILE["joiners"]
