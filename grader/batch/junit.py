"""A batch as JUnit XML, for the test view of a CI system."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any, Final, TextIO

from grader.batch.failure import failed_in, reason
from grader.batch.records import Record
from grader.batch.safe_text import name_text
from grader.batch.summary_text import summary_line
from grader.batch.verdict_words import words
from grader.inert import inert
from grader.report import Verdict

_NAME_CHARS: Final = 300
_MESSAGE_CHARS: Final = 1_000
_VALUE_CHARS: Final = 500
_PRINTED_CHARS: Final = 4_096
_MAX_INPUTS: Final = 20

# The judge came to a decision about what was written; whatever else failed kept it from that.
_FAILURES: Final = frozenset({Verdict.WRONG_ANSWER, Verdict.FORBIDDEN})


def write_junit(records: Iterable[Record], out_file: TextIO) -> None:
    """Write one test suite a submission, with one test case a case.

    So a view of tests says which case of whose submission fails, and the suites can be written
    as the submissions come; suites of problems would have to be held until the last one. The
    class of a case is `slug.id`, by which viewers fold and tell equal names apart. A submission
    that ran no case, and one that could not be judged, has a test case `submission` for the
    reason, and its cases are skipped.

    A wrong answer is a failure, and so is what the problem forbids; limits, crashes, acts the
    sandbox stopped, sources that do not load, faults and our own errors are errors. The root
    has no totals, since it is written first. Text is clipped, and holds only what XML 1.0 allows:
    `inert` leaves of the control characters nothing but tabs and line ends.

    Elements are made one suite at a time with the standard library: junitparser holds the whole
    document, and writes control characters as they are, which no parser accepts.

    Args:
        out_file: open for text in UTF-8.

    Raises:
        OSError: it cannot be written.
    """
    out_file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="grader batch">\n')
    for record in records:
        suite = _suite(record)
        for child in suite:
            child.tail = "\n"  # lines to read and to search, at a third of the cost of indenting
        out_file.write(ET.tostring(suite, encoding="unicode") + "\n")
    out_file.write("</testsuites>\n")


def _suite(record: Record) -> ET.Element:
    suite = ET.Element("testsuite", name=name_text(record.id, _NAME_CHARS))
    _add_properties(suite, record)
    group = name_text(f"{record.slug}.{record.id}", _NAME_CHARS)
    cases = record.report["cases"] if record.report is not None else []
    if record.verdict != Verdict.ACCEPTED and not any(map(failed_in, cases)):
        whole = ET.SubElement(suite, "testcase", name="submission", classname=group, time="0.000")
        _add_trouble(whole, record.verdict, reason(record), _violations(record))
        if record.report is not None:
            _add_printed(whole, record.report)
    for case in cases:
        _add_case(suite, case, group)
    counts = {kind: len(suite.findall(f"testcase/{kind}")) for kind in _COUNTED}
    suite.set("tests", str(len(suite.findall("testcase"))))
    for kind, attribute in _COUNTED.items():
        suite.set(attribute, str(counts[kind]))
    wall_ms = record.report["usage"]["wall_ms"] if record.report is not None else 0.0
    suite.set("time", f"{wall_ms / 1000:.3f}")
    return suite


_COUNTED: Final = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def _add_properties(suite: ET.Element, record: Record) -> None:
    properties = ET.SubElement(suite, "properties")
    known = {
        "slug": record.slug,
        "who": record.who,
        "path": record.path,
        "verdict": record.verdict,
        "cached": "true" if record.cached else "false",
    }
    if record.report is not None:
        known["source_sha256"] = str(record.report["digests"]["source"])
    for name, value in known.items():
        if value is not None:
            shown = name_text(value, _NAME_CHARS)
            ET.SubElement(properties, "property", name=name, value=shown)


def _add_case(suite: ET.Element, case: dict[str, Any], group: str) -> None:
    made = ET.SubElement(
        suite,
        "testcase",
        name=name_text(str(case["case_name"]), _NAME_CHARS),
        classname=group,
        time=f"{case['time_ms'] / 1000:.3f}",
    )
    if case["verdict"] == Verdict.SKIPPED:
        ET.SubElement(made, "skipped", message="not run")
    elif not case["passed"]:
        _add_trouble(made, str(case["verdict"]), str(case["message"]), _details(case))
        _add_printed(made, case)


def _add_trouble(case: ET.Element, verdict: str, message: str, details: list[str]) -> None:
    kind = "failure" if verdict in _FAILURES else "error"
    shown = inert(message, _MESSAGE_CHARS) or words(verdict)
    made = ET.SubElement(case, kind, type=verdict, message=shown)
    made.text = "\n".join([f"{words(verdict)}: {shown}", *details])


def _details(case: dict[str, Any]) -> list[str]:
    lines = []
    if case["where"]:
        lines.append(f"at: {inert(case['where'], _VALUE_CHARS)}")
    if case["expected_summary"] is not None:
        lines.append(f"expected: {inert(summary_line(case['expected_summary']), _VALUE_CHARS)}")
    if case["user_output_summary"] is not None:
        lines.append(f"actual: {inert(summary_line(case['user_output_summary']), _VALUE_CHARS)}")
    if case["hint"]:
        lines.append(f"hint: {inert(case['hint'], _VALUE_CHARS)}")
    for name, text in list((case["input"] or {}).items())[:_MAX_INPUTS]:
        lines.append(f"input: {inert(f'{name}={text}', _VALUE_CHARS)}")
    return lines


def _violations(record: Record) -> list[str]:
    found = record.report["violations"] if record.report is not None else []
    return [
        f"line {one['line']}, column {one['column']}: {inert(one['message'], _VALUE_CHARS)}"
        for one in found[:_MAX_INPUTS]
    ]


def _add_printed(case: ET.Element, printed: dict[str, Any]) -> None:
    for key, tag in (("stdout", "system-out"), ("stderr", "system-err")):
        if printed[key]:
            ET.SubElement(case, tag).text = inert(printed[key], _PRINTED_CHARS)
