"""Totals of a batch, counted as the records go by: by problem and by who."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from grader.batch.failure import failed_in
from grader.batch.records import Record
from grader.batch.safe_text import name_text
from grader.report import Verdict

# Distinct names counted one by one, first come; those after them are counted together. The batch
# may be made by anyone, so names are not trusted to be few or short: 50,000 take about 40 MB.
MAX_PEOPLE: Final = 50_000
MAX_PROBLEMS: Final = 2_000
MAX_CASES: Final = 1_000  # of one problem
_NAME_CHARS: Final = 200

_STEPS: Final = 16  # of the histogram in an octave: neighbours are 4.4 % apart
_LEAST_MS: Final = 2.0**-10  # a microsecond; less is counted there
_TOP: Final = 40 * _STEPS  # 12 days; more is counted there


@dataclass
class TimeHistogram:
    """Times on a log scale: at most 641 counters however many times there are.

    Attributes:
        counts: number of times by step; a step is a sixteenth of an octave.
    """

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, time_ms: float) -> None:
        """Count one time, in milliseconds."""
        above = time_ms / _LEAST_MS
        step = min(int(math.log2(above) * _STEPS), _TOP) if above > 1 else 0
        self.counts[step] = self.counts.get(step, 0) + 1

    @property
    def median_ms(self) -> float | None:
        """The lower median, within 2.2 % of the true one; None without times."""
        half = (sum(self.counts.values()) + 1) // 2
        for step in sorted(self.counts):
            half -= self.counts[step]
            if half <= 0:
                return _LEAST_MS * float(2 ** ((step + 0.5) / _STEPS))
        return None


@dataclass
class ProblemTally:
    """What became of the submissions to one problem.

    Attributes:
        verdicts: number of submissions by verdict, and by kind of fault.
        times: CPU milliseconds of those submissions of which a case was run.
        failed_cases: by name, the number of submissions that ran the case and did not pass it.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    times: TimeHistogram = field(default_factory=TimeHistogram)
    failed_cases: dict[str, int] = field(default_factory=dict)

    @property
    def most_failed(self) -> tuple[str, int] | None:
        """Name and count of the case most submissions fail; the one seen first of equals."""
        if not self.failed_cases:
            return None
        return max(self.failed_cases.items(), key=lambda item: item[1])

    def add(self, record: Record) -> None:
        """Count one submission."""
        self.verdicts[record.verdict] += 1
        if record.report is None:
            return
        cases = record.report["cases"]
        if any(case["verdict"] != Verdict.SKIPPED for case in cases):
            self.times.add(float(record.report["usage"]["cpu_ms"]))
        for case in filter(failed_in, cases):
            name = str(case["case_name"])[:_NAME_CHARS]
            if name in self.failed_cases or len(self.failed_cases) < MAX_CASES:
                self.failed_cases[name] = self.failed_cases.get(name, 0) + 1


@dataclass
class Tally:
    """Totals of a batch. Names are kept as `name_text` shows them, 200 characters at most.

    Attributes:
        cached: number of submissions whose report was found, not made.
        verdicts: number of submissions by verdict, and by kind of fault.
        problems: by slug, in the order in which they came.
        people: by who, verdict counts; submissions that name nobody are not in it.
        further_problems: submissions to problems beyond the first `MAX_PROBLEMS`.
        further_people: submissions of people beyond the first `MAX_PEOPLE`.
    """

    cached: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    problems: dict[str, ProblemTally] = field(default_factory=dict)
    people: dict[str, Counter[str]] = field(default_factory=dict)
    further_problems: int = 0
    further_people: int = 0

    @property
    def total(self) -> int:
        """Number of submissions, faults included."""
        return sum(self.verdicts.values())

    @property
    def accepted(self) -> int:
        """Number of submissions that passed."""
        return self.verdicts[Verdict.ACCEPTED]

    def add(self, record: Record) -> None:
        """Count one submission."""
        self.verdicts[record.verdict] += 1
        self.cached += record.cached
        slug = name_text(record.slug, _NAME_CHARS)
        problem = self.problems.get(slug)
        if problem is None and len(self.problems) < MAX_PROBLEMS:
            problem = self.problems[slug] = ProblemTally()
        if problem is None:
            self.further_problems += 1
        else:
            problem.add(record)
        if record.who is not None:
            self._add_person(name_text(record.who, _NAME_CHARS), record.verdict)

    def _add_person(self, who: str, verdict: str) -> None:
        if who not in self.people and len(self.people) >= MAX_PEOPLE:
            self.further_people += 1
        else:
            self.people.setdefault(who, Counter())[verdict] += 1


def tally_of(records: Iterable[Record]) -> Tally:
    """Return the totals of all records; each is looked at once and let go.

    Example:
        >>> tally_of([Record(0, "a", "softmax")]).verdicts
        Counter({'internal_error': 1})
    """
    tally = Tally()
    for record in records:
        tally.add(record)
    return tally


def least_accepted(rows: Mapping[str, Counter[str]]) -> list[str]:
    """Return the names of rows, the least share of accepted submissions first, then by name."""

    def share(name: str) -> tuple[float, str]:
        verdicts = rows[name]
        return verdicts[Verdict.ACCEPTED] / max(verdicts.total(), 1), name

    return sorted(rows, key=share)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words.

    Example:
        >>> counted(1, "person", "people"), counted(1200, "problem")
        ('1 person', '1,200 problems')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def time_words(time_ms: float) -> str:
    """Return a time of two or three digits and its unit.

    Example:
        >>> time_words(5.54), time_words(1534.2)
        ('5.5 ms', '1.53 s')
    """
    if time_ms < 1000:
        return f"{time_ms:.1f} ms" if time_ms < 10 else f"{time_ms:.0f} ms"
    time_s = time_ms / 1000
    return f"{time_s:.2f} s" if time_s < 10 else f"{time_s:.0f} s"
