"""JUnit: valid XML whatever was printed, and counts a CI system can add up."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import pytest
from batch_records import (
    HOSTILE,
    VERDICTS,
    case,
    hostile_record,
    hostile_records,
    one_of_each,
    record,
    report,
    wrong_case,
)

from grader.batch.junit import write_junit
from grader.batch.records import Record


def suites(records: list[Record]) -> list[ET.Element]:
    """The suites of what is written, parsed back from its bytes."""
    out = io.StringIO()
    write_junit(records, out)
    return list(ET.fromstring(out.getvalue().encode("utf-8")))


def counts(suite: ET.Element) -> tuple[int, int, int, int]:
    """Tests, failures, errors and skipped, as the suite says."""
    tests, failures, errors, skipped = (
        int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")
    )
    return tests, failures, errors, skipped


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("accepted", (4, 0, 0, 0)),
        ("wrong_answer", (4, 1, 0, 0)),
        ("runtime_error", (4, 0, 1, 0)),
        ("time_limit_exceeded", (4, 0, 1, 0)),
        ("memory_limit_exceeded", (4, 0, 1, 0)),
        ("output_limit_exceeded", (4, 0, 1, 0)),
        ("security_violation", (4, 0, 1, 0)),
        ("forbidden", (5, 1, 0, 4)),
        ("invalid_submission", (5, 0, 1, 4)),
        ("internal_error", (5, 0, 1, 4)),
        ("unknown_problem", (1, 0, 1, 0)),
        ("unreadable", (1, 0, 1, 0)),
        ("malformed", (1, 0, 1, 0)),
        ("duplicate_id", (1, 0, 1, 0)),
    ],
)
def test_wrong_is_a_failure_and_broken_is_an_error(
    verdict: str, expected: tuple[int, int, int, int]
) -> None:
    """And what ran no case has a test case of its own for the reason."""
    [suite] = suites([record(0, verdict)])
    assert counts(suite) == expected


def test_what_a_suite_says_is_what_it_holds() -> None:
    """Viewers trust either."""
    for suite in suites([*one_of_each(), *hostile_records()]):
        held = [
            len(suite.findall(path))
            for path in ("testcase", "testcase/failure", "testcase/error", "testcase/skipped")
        ]
        assert counts(suite) == tuple(held)


def test_only_what_passed_has_no_trouble() -> None:
    """Not one failing submission looks green."""
    green = [
        suite.attrib["name"]
        for suite in suites(one_of_each())
        if suite.attrib["failures"] == suite.attrib["errors"] == "0"
    ]
    assert green == [record(0, VERDICTS[0]).id]


def test_a_failure_tells_place_values_hint_and_input() -> None:
    """The view of a test is all that many will look at."""
    [suite] = suites([record(0, "wrong_answer")])
    [failure] = suite.findall("testcase/failure")
    assert failure.text == (
        "wrong answer: 3 of 4 elements differ; 0.5 where 0.25 was expected at output[1]\n"
        "at: output[1]\n"
        "expected: [1.0, 0.25, 0.75, 0.25] (tensor, float32, shape (4))\n"
        "actual: [1.0, 0.5, 0.5, 0.5] (tensor, float32, shape (4))\n"
        "hint: The values match if transposed.\n"
        "input: x=torch.tensor([1.0, 2.0, 3.0, 4.0])\n"
        "input: dim=0"
    )
    assert [one.text for one in suite.findall("testcase/system-out")] == ["debug\n"]


def test_violations_stand_with_their_lines() -> None:
    """All of them, not the first alone."""
    [suite] = suites([record(0, "forbidden")])
    [failure] = suite.findall("testcase/failure")
    assert (failure.text or "").splitlines()[1:] == [
        "line 4, column 9: sorted() is banned",
        "line 6, column 9: sorted() is banned",
    ]


def test_a_test_has_a_name_no_other_has() -> None:
    """Viewers tell tests apart by class and name, and keep one of equals."""
    out = [
        (one.attrib["classname"], one.attrib["name"])
        for suite in suites([record(n, "wrong_answer") for n in range(3)])
        for one in suite.findall("testcase")
    ]
    assert len(set(out)) == len(out) == 12


def test_times_are_seconds() -> None:
    """Of the case and of the whole submission."""
    [suite] = suites([record(0)])
    assert suite.attrib["time"] == "0.021"
    assert suite.findall("testcase")[0].attrib["time"] == "0.002"


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_text_gives_valid_xml(text: str, kind: int) -> None:
    """In every place: as fault, as failing case, as what was found before anything ran."""
    assert len(suites([hostile_record(kind, text)])) == 1


def test_every_character_gives_valid_xml() -> None:
    """Printed, named and compared: all of the basic plane, and the ends of the others."""
    points = [
        *range(0x10000),
        *(p * 0x10000 + n for p in range(1, 17) for n in (0, 0xFFFE, 0xFFFF)),
    ]
    texts = ["".join(map(chr, points[n : n + 100])) for n in range(0, len(points), 100)]
    cases = [wrong_case(n, case_name=t, message=t, stdout=t) for n, t in enumerate(texts, 1)]
    assert len(suites([record(0, report=report("a", cases, "wrong_answer"))])) == 1


def test_text_is_clipped() -> None:
    """A submission that prints a megabyte does not make a megabyte of XML."""
    long = "<" * 1_000_000
    cases = [wrong_case(1, message=long, stdout=long, case_name=long, input={long: long})]
    out = io.StringIO()
    write_junit([record(0, report=report("a", cases, "wrong_answer"))], out)
    assert len(out.getvalue()) < 60_000


def test_an_empty_batch_is_valid() -> None:
    """A pull request may touch nothing."""
    assert suites([]) == []


def test_a_skipped_case_among_others_is_skipped() -> None:
    """After the time for the whole was up."""
    cases = [case(1, "time_limit_exceeded"), case(2, "skipped"), case(3, "skipped")]
    [suite] = suites([record(0, report=report("a", cases, "time_limit_exceeded"))])
    assert counts(suite) == (3, 0, 1, 2)
