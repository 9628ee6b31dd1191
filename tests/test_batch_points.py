"""Points: what a case is worth, whose best counts, and what is wrong with a file of weights."""

from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from batch_records import HOSTILE, case, record, report, wrong_case

from grader.batch.points import (
    Gradebook,
    ProblemWeight,
    Weights,
    load_weights,
    score,
    share_of,
    write_gradebook,
)
from grader.batch.records import Record
from grader.errors import SpecError


def weights_file(folder: Path, text: str) -> Path:
    """A file of weights."""
    path = folder / "points.json"
    path.write_text(text, "utf-8")
    return path


def sent(position: int, who: str, passed: str, slug: str = "a") -> Record:
    """A submission whose cases pass (+) or fail (-)."""
    cases = [case(n) if sign == "+" else wrong_case(n) for n, sign in enumerate(passed, 1)]
    verdict = "wrong_answer" if "-" in passed else "accepted"
    return record(position, report=report(slug, cases, verdict), slug=slug, who=who)


def gradebook(book: Gradebook) -> list[dict[str, str]]:
    """What is written, read back."""
    out = io.StringIO(newline="")
    write_gradebook(book, out)
    return list(csv.DictReader(io.StringIO(out.getvalue(), newline="")))


# --- scores -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passed", "weights", "share"),
    [
        ("++++", {}, 1.0),
        ("+-+-", {}, 0.5),
        ("----", {}, 0.0),
        ("+---", {"case 1": 3}, 0.5),  # 3 of 3 + 1 + 1 + 1
        ("-+++", {"case 1": 0}, 1.0),  # a case for show
        ("-+", {"case 1": 0, "case 2": 0}, 0.0),  # nothing to be had but by passing all
        ("++", {"case 1": 0, "case 2": 0}, 1.0),
        ("+-", {"another": 9}, 0.5),
    ],
)
def test_partial_credit_is_the_share_of_the_weights(
    passed: str, weights: dict[str, float], share: float
) -> None:
    """A case without a weight counts 1."""
    made = sent(0, "x", passed).report
    assert made is not None
    assert share_of(made, weights) == share


def test_without_cases_nothing_is_earned() -> None:
    """Nor divided by."""
    assert share_of(report("a", [], "invalid_submission"), {}) == 0.0


def test_the_best_submission_of_a_problem_counts() -> None:
    """In whatever order they come, and it is not the last, nor a union of all."""
    tries = [sent(0, "x", "+---"), sent(1, "x", "-++-"), sent(2, "x", "+---")]
    for order in itertools.permutations(tries):
        book = score(order, Weights({"a": ProblemWeight(10)}))
        assert (book.marks["x"]["a"].points, book.marks["x"]["a"].submissions) == (5.0, 3)


def test_points_are_summed_over_problems() -> None:
    """With the default for those without a weight."""
    held = [sent(0, "x", "++"), sent(1, "x", "+-", "b"), sent(2, "y", "+-")]
    book = score(held, Weights({"a": ProblemWeight(10)}, default=4))
    assert book.possible == {"a": 10, "b": 4}
    assert (book.total("x"), book.total("y"), book.total("nobody")) == (12.0, 5.0, 0.0)


def test_marks_are_rounded_before_they_are_added_up() -> None:
    """Whoever adds up the row gets the total that stands there."""
    held = [sent(n, "x", "+--", slug) for n, slug in enumerate("abc")]
    book = score(held, Weights(default=1))
    assert [mark.points for mark in book.marks["x"].values()] == [0.33, 0.33, 0.33]
    assert book.total("x") == 0.99


@pytest.mark.parametrize("verdict", ["internal_error", "unreadable", "malformed", "duplicate_id"])
def test_what_was_not_judged_gives_nothing_but_is_marked(verdict: str) -> None:
    """It is not the sender's fault; somebody must look."""
    held = [sent(0, "x", "+-"), record(1, verdict, "a", who="x"), record(2, verdict, "a", who="y")]
    book = score(held, Weights(default=10))
    assert (book.marks["x"]["a"].points, book.marks["x"]["a"].not_judged) == (5.0, 1)
    assert (book.marks["y"]["a"].points, book.marks["y"]["a"].not_judged) == (0.0, 1)


def test_an_internal_error_with_passed_cases_gives_nothing() -> None:
    """Nobody knows which of them hold."""
    broken = report("a", [case(1), case(2, "internal_error")], "internal_error")
    book = score([record(0, report=broken, slug="a", who="x")], Weights())
    assert book.marks["x"]["a"].points == 0.0


def test_an_unknown_problem_makes_no_column() -> None:
    """A misspelt file name is not a problem everybody else has missed."""
    book = score([record(0, "unknown_problem", "sotfmax", who="x"), sent(1, "x", "+")], Weights())
    assert list(book.possible) == ["a"]
    assert book.total("x") == 1.0
    assert gradebook(book)[0]["not_judged"] == "sotfmax (1)"


def test_a_weighted_problem_nobody_sent_has_its_column() -> None:
    """Its points are missing from everybody's total."""
    book = score([sent(0, "x", "+")], Weights({"b": ProblemWeight(3)}))
    assert book.possible == {"a": 1, "b": 3}
    assert gradebook(book) == [
        {"who": "x", "a": "1", "b": "", "total": "1", "possible": "4", "not_judged": ""}
    ]


def test_weights_that_nothing_used_are_named() -> None:
    """A misspelt case would otherwise weigh 1 without a word."""
    weights = Weights(
        {"a": ProblemWeight(1, {"case 1": 2, "csae 2": 5}), "sotfmax": ProblemWeight(1)}
    )
    assert score([sent(0, "x", "+-")], weights).unused == [
        '$.problems.a.cases["csae 2"]',
        "$.problems.sotfmax",
    ]


def test_submissions_of_nobody_are_counted_and_have_no_row() -> None:
    """A gradebook is by who."""
    book = score([record(0, who=None), record(1, who=None)], Weights())
    assert (book.nameless, book.marks, list(book.possible)) == (2, {}, ["softmax"])


# --- the table --------------------------------------------------------------------------------


def test_the_gradebook_has_a_row_for_each_who() -> None:
    """Sorted by name, and an empty cell where nothing was sent."""
    held = [
        sent(0, "zoe", "+---", "b"),
        sent(1, "ann", "++"),
        record(2, "internal_error", "b", who="ann"),
        record(3, "internal_error", "b", who="ann"),
    ]
    assert gradebook(score(held, Weights(default=10))) == [
        {"who": "ann", "a": "10", "b": "0", "total": "10", "possible": "20", "not_judged": "b (2)"},
        {"who": "zoe", "a": "", "b": "2.5", "total": "2.5", "possible": "20", "not_judged": ""},
    ]


def test_hostile_names_are_one_line_and_no_formula() -> None:
    """Students choose their names, and their files'."""
    held = [sent(n, text, "+", text) for n, text in enumerate(HOSTILE.values())]
    out = io.StringIO(newline="")
    write_gradebook(score(held, Weights()), out)
    assert len(out.getvalue().encode().decode().splitlines()) == len(HOSTILE) + 1
    rows = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert {len(row) for row in rows} == {len(HOSTILE) + 4}
    assert not [one for row in rows for one in row if one[:1] in ("=", "+", "@")]


# --- the file ---------------------------------------------------------------------------------


def test_a_file_of_weights_is_read(tmp_path: Path) -> None:
    """The form the issue gives."""
    text = json.dumps({"problems": {"a": {"points": 10, "cases": {"c": 2}}, "b": {}}, "default": 3})
    weights = load_weights(weights_file(tmp_path, text))
    assert weights == Weights({"a": ProblemWeight(10, {"c": 2}), "b": ProblemWeight(3, {})}, 3)
    assert (weights.of("a").points, weights.of("z").points) == (10, 3)


@pytest.mark.parametrize("text", ["{}", "\ufeff{}", '{"problems": {}}'])
def test_every_field_may_be_missing(tmp_path: Path, text: str) -> None:
    """Then each problem is worth 1."""
    assert load_weights(weights_file(tmp_path, text)) == Weights()


@pytest.mark.parametrize(
    ("raw", "path", "said"),
    [
        ([], "$", "an object expected, got an array"),
        ({"problem": {}}, "$.problem", "one of default, problems expected"),
        ({"problems": 3}, "$.problems", "an object expected, got a number"),
        ({"problems": {"a": 3}}, "$.problems.a", "an object expected, got a number"),
        ({"problems": {"a": {"point": 3}}}, "$.problems.a.point", "one of cases, points expected"),
        ({"problems": {"a": {"points": "3"}}}, "$.problems.a.points", "got a string"),
        ({"problems": {"a": {"points": True}}}, "$.problems.a.points", "got a truth value"),
        ({"problems": {"a": {"points": None}}}, "$.problems.a.points", "got null"),
        ({"problems": {"a": {"points": -1}}}, "$.problems.a.points", "from 0 to 1e+09 expected"),
        ({"problems": {"a": {"cases": []}}}, "$.problems.a.cases", "got an array"),
        ({"problems": {"a": {"cases": {"c d": -1}}}}, '$.problems.a.cases["c d"]', "got -1"),
        ({"default": 10**300}, "$.default", "from 0 to 1e+09 expected"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_path(
    tmp_path: Path, raw: Any, path: str, said: str
) -> None:
    """So that it can be mended without reading the code."""
    file = weights_file(tmp_path, json.dumps(raw))
    with pytest.raises(SpecError) as caught:
        load_weights(file)
    [finding] = caught.value.findings
    assert (finding.file, finding.path) == (str(file), path)
    assert said in finding.message
    assert finding.line == 1


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """In the order of the file."""
    text = '{"default": -1,\n "problems": {"a": {"points": "x",\n "cases": {"c": []}}}}'
    with pytest.raises(SpecError) as caught:
        load_weights(weights_file(tmp_path, text))
    assert [(one.line, one.path) for one in caught.value.findings] == [
        (1, "$.default"),
        (2, "$.problems.a.points"),
        (3, "$.problems.a.cases.c"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not JSON"),
        (b'{"default": 1', "not JSON"),
        (b'{"default": NaN}', "not JSON"),
        (b'{"default": 1, "default": 2}', "not JSON"),
        (b"\xff\xfe", "UTF-8 expected, got byte 0xff"),
    ],
)
def test_what_is_no_json_is_said_so(tmp_path: Path, data: bytes, said: str) -> None:
    """A key twice as well: one of the two weights would be lost."""
    path = tmp_path / "points.json"
    path.write_bytes(data)
    with pytest.raises(SpecError, match=said) as caught:
        load_weights(path)
    assert str(path) in str(caught.value)
