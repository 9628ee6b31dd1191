"""Weights of problems and cases, and the gradebook they make of a batch."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from grader.batch.csv_table import cell
from grader.batch.records import Record
from grader.errors import Finding, SpecError
from grader.report import Verdict
from grader.specs.json_positions import JsonFault, LocatedJson, json_path, place_of, read_json

DIGITS: Final = 2  # of points: they are rounded before they are added up, as people check them
_DEFAULT: Final = 1.0


@dataclass(frozen=True)
class ProblemWeight:
    """What a problem is worth.

    Attributes:
        points: for all of its cases.
        cases: weight by case name; a case that is not in it weighs 1.
    """

    points: float
    cases: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Weights:
    """What the problems of a batch are worth.

    Attributes:
        default: points of a problem that is not in `problems`.
    """

    problems: Mapping[str, ProblemWeight] = field(default_factory=dict)
    default: float = _DEFAULT

    def of(self, slug: str) -> ProblemWeight:
        """Return the weight of a problem."""
        return self.problems.get(slug) or ProblemWeight(self.default)


@dataclass
class Mark:
    """What somebody has for a problem.

    Attributes:
        points: of the best submission, rounded to `DIGITS`.
        submissions: how many there are.
        not_judged: how many of them are internal errors or faults: they give no points, and
            say nothing about the one who sent them.
    """

    points: float = 0.0
    submissions: int = 0
    not_judged: int = 0


@dataclass
class Gradebook:
    """Marks of a batch.

    Attributes:
        possible: points by slug, sorted; problems with a weight and those with a report.
        marks: by who, then by slug; nothing where nothing was sent.
        nameless: submissions of nobody: they have no row.
        unused: fields of the weights that no report has; a misspelt name is one of them.
    """

    possible: dict[str, float] = field(default_factory=dict)
    marks: dict[str, dict[str, Mark]] = field(default_factory=dict)
    nameless: int = 0
    unused: list[str] = field(default_factory=list)

    def total(self, who: str) -> float:
        """Return the points of somebody for all problems."""
        marks = self.marks.get(who, {})
        points = (mark.points for slug, mark in marks.items() if slug in self.possible)
        return round(math.fsum(points), DIGITS)


def load_weights(path: Path) -> Weights:
    """Read a file of weights.

    The form: `{"problems": {slug: {"points": 10, "cases": {name: weight}}}, "default": 1}`;
    every field may be missing, points and weights are numbers of 0 or more.

    Raises:
        SpecError: all that is wrong with it, each with file, line, column and JSON path.
        OSError: it cannot be read.
    """
    try:
        located = read_json(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        message = f"UTF-8 expected, got byte 0x{error.object[error.start]:02x}"
        raise SpecError([Finding(str(path), 0, 0, "$", message)]) from None
    except JsonFault as fault:
        message = f"not JSON: {fault.message}"
        raise SpecError([Finding(str(path), fault.line, fault.column, "$", message)]) from None
    return _Reading(str(path), located).weights()


class _Reading:
    """Turns JSON into weights and collects what is wrong with it."""

    def __init__(self, file: str, located: LocatedJson) -> None:
        self._file = file
        self._located = located
        self._findings: list[Finding] = []

    def weights(self) -> Weights:
        raw = self._object(self._located.value, [], {"problems", "default"})
        problems = self._object(raw.get("problems", {}), ["problems"])
        default = self._number(raw.get("default", _DEFAULT), ["default"])
        made = {slug: self._problem(slug, one, default) for slug, one in problems.items()}
        if self._findings:
            raise SpecError(sorted(self._findings))
        return Weights(made, default)

    def _problem(self, slug: str, raw: Any, default: float) -> ProblemWeight:
        path: list[str | int] = ["problems", slug]
        fields = self._object(raw, path, {"points", "cases"})
        cases = self._object(fields.get("cases", {}), [*path, "cases"])
        return ProblemWeight(
            self._number(fields.get("points", default), [*path, "points"]),
            {name: self._number(one, [*path, "cases", name]) for name, one in cases.items()},
        )

    def _object(
        self, value: Any, path: list[str | int], known: set[str] | None = None
    ) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fault(path, f"an object expected, got {_kind(value)}")
            return {}
        for name in value:
            if known is not None and name not in known:
                self._fault([*path, name], f"one of {', '.join(sorted(known))} expected")
        return value

    def _number(self, value: Any, path: list[str | int]) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._fault(path, f"a number of 0 or more expected, got {_kind(value)}")
            return 0.0
        if not 0 <= value <= _MOST:
            self._fault(path, f"a number from 0 to {_MOST:g} expected, got {value}")
            return 0.0
        return float(value)

    def _fault(self, path: list[str | int], message: str) -> None:
        shown = json_path(path)
        line, column = place_of(self._located, shown)
        self._findings.append(Finding(self._file, line, column, shown, message))


_MOST: Final = 1e9  # sums of such stay exact to the digits shown
_KINDS: Final = {dict: "an object", list: "an array", str: "a string", bool: "a truth value"}


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "null" if value is None else "a number")


def share_of(report: Mapping[str, Any], cases: Mapping[str, float]) -> float:
    """Return what part of a problem's points a report earns, from 0 to 1.

    The weights of the passed cases over those of all cases. Accepted earns all, even where the
    weights add up to 0.

    Args:
        report: as `Report.to_dict` gives it.
        cases: weight by case name; 1 where there is none.
    """
    if report["verdict"] == Verdict.ACCEPTED:
        return 1.0
    weights = [(cases.get(case["case_name"], 1.0), case["passed"]) for case in report["cases"]]
    total = math.fsum(weight for weight, _ in weights)
    return math.fsum(weight for weight, passed in weights if passed) / total if total else 0.0


def score(records: Iterable[Record], weights: Weights) -> Gradebook:
    """Return the marks everybody has: for each problem those of the best submission.

    A submission earns the share of its passed cases by weight, whatever the verdict of the
    whole. Internal errors and faults earn nothing and are counted as not judged. Held are one
    mark for each who and problem, and none of the records.
    """
    book = Gradebook(possible={slug: one.points for slug, one in weights.problems.items()})
    seen: dict[str, set[str]] = {}
    for record in records:
        if record.report is not None:
            book.possible.setdefault(record.slug, weights.default)
            weighted = weights.of(record.slug).cases
            names = seen.setdefault(record.slug, set())
            if len(names) < len(weighted):
                names.update(
                    c["case_name"] for c in record.report["cases"] if c["case_name"] in weighted
                )
        if record.who is None:
            book.nameless += 1
        else:
            _add(book.marks.setdefault(record.who, {}), record, weights)
    book.possible = dict(sorted(book.possible.items()))
    book.unused = list(_unused(weights, seen))
    return book


def _add(marks: dict[str, Mark], record: Record, weights: Weights) -> None:
    mark = marks.setdefault(record.slug, Mark())
    mark.submissions += 1
    if record.report is None or record.verdict == Verdict.INTERNAL_ERROR:
        mark.not_judged += 1
        return
    weight = weights.of(record.slug)
    points = round(weight.points * share_of(record.report, weight.cases), DIGITS)
    mark.points = max(mark.points, points)


def _unused(weights: Weights, seen: Mapping[str, set[str]]) -> Iterable[str]:
    for slug, weight in weights.problems.items():
        if slug not in seen:
            yield json_path(["problems", slug])
            continue
        for name in weight.cases:
            if name not in seen[slug]:
                yield json_path(["problems", slug, "cases", name])


def write_gradebook(book: Gradebook, file: TextIO) -> None:
    """Write CSV: a row for each who, sorted, a column for each problem, and what they add up to.

    A mark is empty where nothing was sent. `possible` is the most a total can be; `not_judged`
    names the problems where something could not be judged, with how many submissions: such a
    mark may be too low. Formulas are disarmed as in `csv_table`.

    Args:
        file: open for text in UTF-8 with `newline=""`.

    Raises:
        OSError: it cannot be written.
    """
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    slugs = list(book.possible)
    writer.writerow(["who", *map(cell, slugs), "total", "possible", "not_judged"])
    possible = _plain(round(math.fsum(book.possible.values()), DIGITS))
    for who in sorted(book.marks):
        marks = book.marks[who]
        shown = [_plain(marks[slug].points) if slug in marks else "" for slug in slugs]
        failed = [
            f"{slug} ({mark.not_judged})" for slug, mark in sorted(marks.items()) if mark.not_judged
        ]
        total = _plain(book.total(who))
        writer.writerow([cell(who), *shown, total, possible, cell("; ".join(failed))])


def _plain(points: float) -> float | int:
    """A whole number without the point that says nothing."""
    return int(points) if points == int(points) else points
