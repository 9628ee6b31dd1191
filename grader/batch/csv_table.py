"""The submissions of a batch as CSV, one row each."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Final, TextIO

from grader.batch.failure import deciding_case, reason
from grader.batch.records import Record
from grader.batch.safe_text import name_text, one_line

COLUMNS: Final = (
    "position",
    "id",
    "who",
    "slug",
    "verdict",
    "passed",
    "total",
    "cpu_ms",
    "wall_ms",
    "memory_mb",
    "attempts",
    "cached",
    "first_failing_case",
    "message",
    "source_sha256",
)
_NAME_CHARS: Final = 1_000  # a path of most file systems, or four of its names
_MESSAGE_CHARS: Final = 2_100  # as long as a report's

# What spreadsheets take for a formula at the start of a cell, in either width; also after a
# semicolon, which ends a cell where the decimal sign is a comma.
_FORMULA: Final = re.compile(r"((?:^|;)[\s\"']*)([=+\-@＝＋－＠])")


def write_csv(records: Iterable[Record], file: TextIO) -> None:
    """Write a header and one row a submission, in the order of the records.

    A row is one line: line ends inside a text are written as `\\n`. Text that a spreadsheet
    would take for a formula gets an apostrophe before it. Numbers are empty where there is no
    report. `cpu_ms` and `wall_ms` are milliseconds, `memory_mb` MiB above the warm baseline.

    Args:
        file: open for text in UTF-8 with `newline=""`; "utf-8-sig" has Excel read it as UTF-8.

    Raises:
        OSError: it cannot be written.
    """
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in records:
        writer.writerow(_row(record))


def cell(text: str, limit: int = _NAME_CHARS) -> str:
    """Return a name as a cell that no spreadsheet computes.

    Example:
        >>> cell("=cmd()"), cell("a;+1"), cell("shape (2, -3)")
        ("'=cmd()", "a;'+1", 'shape (2, -3)')
    """
    return _FORMULA.sub(r"\1'\2", name_text(text, limit))


def _row(record: Record) -> list[str | int | float]:
    case = deciding_case(record)
    report = record.report
    usage = report["usage"] if report else {"cpu_ms": "", "wall_ms": "", "memory_mb": ""}
    return [
        record.position,
        cell(record.id),
        cell(record.who or ""),
        cell(record.slug),
        record.verdict,
        report["passed"] if report else "",
        report["total"] if report else "",
        usage["cpu_ms"],
        usage["wall_ms"],
        usage["memory_mb"],
        report["attempts"] if report else "",
        int(record.cached),
        cell(str(case["case_name"])) if case else "",
        _FORMULA.sub(r"\1'\2", one_line(reason(record), _MESSAGE_CHARS)),
        report["digests"]["source"] if report else "",
    ]
