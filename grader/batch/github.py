"""A batch in GitHub Actions: annotations on the lines of submissions, and a step summary."""

# No annotations import from __future__: it would take the name of a function below.

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from grader.batch.failure import deciding_case, line_of, reason
from grader.batch.records import Record
from grader.batch.safe_text import name_text, one_line
from grader.batch.summary_text import summary_line
from grader.batch.tally import Tally, counted, least_accepted, time_words
from grader.batch.verdict_words import in_order, letters, rank, words
from grader.inert import inert
from grader.report import Verdict

MAX_ANNOTATIONS: Final = 10  # GitHub shows so many of a kind in a step, and drops the rest
MAX_SUMMARY_BYTES: Final = 1 << 20  # of a step, or GitHub shows nothing at all

_TITLE_CHARS: Final = 120
_ANNOTATION_CHARS: Final = 1_000
_PATH_CHARS: Final = 1_000

_ROWS: Final = 100  # of a table of the summary
_FAILURES: Final = 50
_DETAILED: Final = 10
_NAME_CHARS: Final = 80
_TEXT_CHARS: Final = 300
_PUNCTUATION: Final = re.compile(r"[!-,./:-@\[-`{-~]")  # ASCII but for the hyphen
_CUT_NOTE: Final = "\n\n… cut: a step summary may have 1 MiB.\n"


def annotations(records: Iterable[Record], limit: int = MAX_ANNOTATIONS) -> list[str]:
    """Return workflow commands, one a line to print, for the worst submissions, worst first.

    Worst is in the order of `verdict_words.rank`: security violations, internal errors and
    faults, what is forbidden, what does not load, crashes, limits, wrong answers; among equals
    the one with the smaller share of passed cases, then the one that stands first.

    Args:
        limit: how many at most.

    Example:
        >>> annotations([Record(0, "a", "softmax", path="a/softmax.py")])
        ['::error file=a/softmax.py,title=softmax%3A internal error::there is neither a report \
nor a fault']
    """
    failed = (record for record in records if record.verdict != Verdict.ACCEPTED)
    return [_annotation(record) for record in heapq.nsmallest(limit, failed, key=_badness)]


def step_summary(records: Iterable[Record]) -> str:
    """Return Markdown for `$GITHUB_STEP_SUMMARY`, under 1 MiB of UTF-8.

    Totals, tables by problem and by who (100 rows each, the least accepted first), the first 50
    submissions in the input that did not pass, ten of them with both values. Every text from
    outside stands in a code element with its punctuation as character references, so it is
    neither Markdown nor markup, and ends no cell of a table.
    """
    tally = Tally()
    failed: list[Record] = []
    for record in records:
        tally.add(record)
        if record.verdict != Verdict.ACCEPTED and len(failed) < _FAILURES:
            failed.append(record)
    return _fitted("\n".join(_summary_lines(tally, failed)) + "\n", MAX_SUMMARY_BYTES)


def append_step_summary(markdown: str, path: Path) -> None:
    """Append to the file `$GITHUB_STEP_SUMMARY` names, cut so that the file stays under 1 MiB.

    Raises:
        OSError: it cannot be written.
    """
    held = path.stat().st_size if path.exists() else 0
    room = MAX_SUMMARY_BYTES - held
    if room > 2 * len(_CUT_NOTE):
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(_fitted(markdown, room))


# --- annotations ------------------------------------------------------------------------------


def _badness(record: Record) -> tuple[int, float, int]:
    report = record.report
    share = report["passed"] / report["total"] if report and report["total"] else 0.0
    return rank(record.verdict), share, record.position


def _annotation(record: Record) -> str:
    properties = {}
    if record.path is not None:
        properties["file"] = name_text(record.path, _PATH_CHARS)
        line = line_of(record)
        if line is not None:
            properties["line"] = str(line)
    about = name_text(record.slug, _TITLE_CHARS)
    if record.path is None:
        about = f"{name_text(record.id, _TITLE_CHARS)}, {about}"
    properties["title"] = f"{about}: {words(record.verdict)}"
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::error {given}::{_data(_sentence(record))}"


def _sentence(record: Record) -> str:
    case = deciding_case(record)
    said = inert(reason(record), _ANNOTATION_CHARS) or words(record.verdict)
    if case is None:
        return said
    hint = f"\n{inert(case['hint'], _TEXT_CHARS)}" if case["hint"] else ""
    return f"case {name_text(str(case['case_name']), _TITLE_CHARS)}: {said}{hint}"


def _data(text: str) -> str:
    """The escapes of a workflow command's message; the percent sign first."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# --- summary ----------------------------------------------------------------------------------


def _summary_lines(tally: Tally, failed: list[Record]) -> Iterator[str]:
    counts = " · ".join(f"{count:,} {words(name)}" for name, count in in_order(tally.verdicts))
    yield "## Batch\n"
    yield f"**{counted(tally.total, 'submission')}**" + (f": {counts}" if counts else "")
    if tally.cached:
        yield f"\n{counted(tally.cached, 'report')} from the cache."
    columns = list(dict.fromkeys(letters(name) for name, _ in in_order(tally.verdicts)))
    if tally.problems:
        yield from _problem_lines(tally, columns)
    if tally.people:
        yield from _people_lines(tally, columns)
    if failed:
        yield from _failure_lines(failed, tally.total - tally.accepted)


def _problem_lines(tally: Tally, columns: list[str]) -> Iterator[str]:
    yield "\n### By problem\n"
    yield from _head("problem", columns, " median | most failed case |", " --: | :-- |")
    names = least_accepted({name: made.verdicts for name, made in tally.problems.items()})
    for name in names[:_ROWS]:
        made = tally.problems[name]
        median_ms, most = made.times.median_ms, made.most_failed
        time = "" if median_ms is None else time_words(median_ms)
        case = "" if most is None else f"{_code(most[0], _NAME_CHARS)} ({most[1]:,})"
        yield f"{_row(name, made.verdicts, columns)} {time} | {case} |"
    yield from _rest(len(names), "problems", tally.further_problems)


def _people_lines(tally: Tally, columns: list[str]) -> Iterator[str]:
    yield "\n### By who\n"
    yield from _head("who", columns)
    names = least_accepted(tally.people)
    for name in names[:_ROWS]:
        yield _row(name, tally.people[name], columns)
    yield from _rest(len(names), "people", tally.further_people)


def _head(first: str, columns: list[str], more: str = "", rule: str = "") -> Iterator[str]:
    yield f"| {first} | all | {' | '.join(columns)} |{more}"
    yield f"| :-- | --: |{' --: |' * len(columns)}{rule}"


def _row(name: str, verdicts: Counter[str], columns: list[str]) -> str:
    counts: Counter[str] = Counter()
    for verdict, count in verdicts.items():
        counts[letters(verdict)] += count
    cells = " | ".join(f"{counts[column]:,}" if counts[column] else "" for column in columns)
    return f"| {_code(name, _NAME_CHARS)} | {verdicts.total():,} | {cells} |"


def _rest(rows: int, what: str, further: int) -> Iterator[str]:
    if rows > _ROWS:
        yield f"\n… {rows - _ROWS:,} {what} more"
    if further:
        yield f"\n… {further:,} submissions of further {what}"


def _failure_lines(failed: list[Record], total: int) -> Iterator[str]:
    shown = "All" if total == len(failed) else f"The first {len(failed)} of"
    yield f"\n### {shown} {total:,} that did not pass\n"
    yield "| submission | problem | verdict | case | message |"
    yield "| :-- | :-- | :-- | :-- | :-- |"
    for record in failed:
        case = deciding_case(record)
        name = _code(str(case["case_name"]), _NAME_CHARS) if case else ""
        yield (
            f"| {_code(record.id, _NAME_CHARS)} | {_code(record.slug, _NAME_CHARS)} "
            f"| {words(record.verdict)} | {name} | {_code(reason(record), _TEXT_CHARS)} |"
        )
    for record in failed[:_DETAILED]:
        case = deciding_case(record)
        if case is not None:
            yield from _detail_lines(record, case)


def _detail_lines(record: Record, case: dict[str, Any]) -> Iterator[str]:
    about = f"{_code(record.id, _NAME_CHARS)}, {_code(str(case['case_name']), _NAME_CHARS)}"
    yield f"\n<details><summary>{about}</summary>\n"
    yield f"- message: {_code(str(case['message']), _TEXT_CHARS)}"
    for label, key in (("expected", "expected_summary"), ("actual", "user_output_summary")):
        if case[key] is not None:
            yield f"- {label}: {_code(summary_line(case[key]), _TEXT_CHARS)}"
    if case["hint"]:
        yield f"- hint: {_code(case['hint'], _TEXT_CHARS)}"
    for name, text in list((case["input"] or {}).items())[:_DETAILED]:
        yield f"- input: {_code(f'{name}={text}', _TEXT_CHARS)}"
    yield "\n</details>"


def _code(text: str, limit: int) -> str:
    """Text as it is, whatever Markdown or HTML would have made of it."""
    shown = _PUNCTUATION.sub(lambda found: f"&#{ord(found[0])};", one_line(text, limit))
    return f"<code>{shown}</code>" if shown else "–"


def _fitted(markdown: str, limit: int) -> str:
    """The lines that fit into so many bytes, with a note where some do not."""
    data = markdown.encode("utf-8")
    if len(data) <= limit:
        return markdown
    end = data.rfind(b"\n", 0, limit - len(_CUT_NOTE.encode("utf-8")))
    return data[: max(end, 0)].decode("utf-8") + _CUT_NOTE
