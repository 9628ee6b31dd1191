"""A batch as one self-contained page: totals, who by problem, and every failure behind its cell.

The page loads nothing. Its content policy allows the one style sheet and the one script it holds,
by their digests, so that nothing a submission wrote could run even if it were not escaped; and
everything is escaped. Without script all can be read; the script adds a filter.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Final

from grader.batch.html_matrix import Matrix
from grader.batch.html_submission import icon, shown_name, submission_html
from grader.batch.records import Record
from grader.batch.tally import Tally, counted, least_accepted, time_words
from grader.batch.verdict_words import NOT_JUDGED_LETTERS, family, in_order, letters, words
from grader.report import Verdict

MAX_SUBMISSIONS: Final = 20_000  # listed; a browser lays out so many in a few seconds
MAX_DETAILED: Final = 2_000  # with values and inputs, some 2 KB each
_MAX_PROBLEMS: Final = 200

_ASSETS: Final = Path(__file__).parents[1] / "assets"


def write_html(records: Iterable[Record], path: Path) -> None:
    """Write the page of a batch.

    Over 20,000 submissions it lists the failing ones first, and over 2,000 failing ones the rest
    without values; it says what is left out. Totals count all. Failing submissions stand in the
    order of the records.

    Args:
        records: in any order; each is looked at once and let go.
        path: of the file to write, replaced where there is one.

    Raises:
        OSError: it cannot be written.
    """
    gathered = _Gathered()
    for record in records:
        gathered.add(record)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_page(gathered))


class _Gathered:
    """What the page needs of all records."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.matrix = Matrix()
        self.unjailed = 0
        self._failed: list[tuple[int, str]] = []
        self._accepted: list[tuple[int, str]] = []

    def add(self, record: Record) -> None:
        self.tally.add(record)
        self.matrix.add(record)
        if record.report is not None and record.report["isolation"] != "full":
            self.unjailed += 1
        rows = self._accepted if record.verdict == Verdict.ACCEPTED else self._failed
        if len(rows) < MAX_SUBMISSIONS:
            detailed = len(self._failed) < MAX_DETAILED
            rows.append((record.position, submission_html(record, detailed)))

    @property
    def failed(self) -> list[tuple[int, str]]:
        """Positions and HTML of the failing submissions that are listed."""
        return self._failed

    @property
    def accepted(self) -> list[tuple[int, str]]:
        """The same of the accepted ones, as far as there is room."""
        return self._accepted[: MAX_SUBMISSIONS - len(self._failed)]


def _page(gathered: _Gathered) -> Iterator[str]:
    style = "".join((_ASSETS / name).read_text("utf-8") for name in ("tokens.css", "batch.css"))
    script = (_ASSETS / "batch.js").read_text("utf-8")
    icons = (_ASSETS / "verdicts.svg").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">'
        f"<title>Batch report</title><style>{style}</style></head><body>{icons}"
        '<a class="skip" href="#submissions">Skip to the submissions</a><main>'
    )
    yield _totals(gathered)
    yield _problems(gathered.tally)
    yield _filter(gathered.tally)
    yield gathered.matrix.html({position for position, _ in (*gathered.failed, *gathered.accepted)})
    yield from _submissions(gathered)
    yield f"</main><script>{script}</script></body></html>\n"


def _digest(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
    return f"'sha256-{digest}'"


def _totals(gathered: _Gathered) -> str:
    tally = gathered.tally
    share = f", {100 * tally.accepted / tally.total:.0f} % accepted" if tally.total else ""
    total = counted(tally.total, "submission")
    counts = "".join(
        f'<li class="{family(name)}">{icon(name)}<b>{count:,}</b> {escape(words(name))} '
        f"<span class=q>{letters(name).strip(NOT_JUDGED_LETTERS)}</span></li>"
        for name, count in in_order(tally.verdicts)
    )
    notes = []
    if tally.cached:
        notes.append(f"From the cache: {counted(tally.cached, 'report')}.")
    if gathered.unjailed:
        notes.append(
            f"<b>Judged without isolation: {counted(gathered.unjailed, 'submission')}.</b>"
        )
    note = f'<p class="q">{" ".join(notes)}</p>' if notes else ""
    return (
        '<header class="top"><svg class="brand" viewBox="0 0 20 20" aria-hidden="true">'
        f'<use href="#i-brand"/></svg><h1>Batch report</h1></header>'
        f'<section class="card in"><p class="lead"><b>{total}</b>{share}</p>'
        f'{_stacked(tally)}<ul class="legend">{counts}</ul>{note}</section>'
    )


def _stacked(tally: Tally) -> str:
    """All submissions as one bar; the list below it says the same in words."""
    bars, left = [], 0.0
    for name, count in in_order(tally.verdicts):
        width = 1000 * count / tally.total
        bars.append(
            f'<rect class="{family(name)}" x="{left:.2f}" width="{width:.2f}" height="10"/>'
        )
        left += width
    return (
        '<svg class="meter big" viewBox="0 0 1000 10" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(bars)}</svg>'
    )


def _filter(tally: Tally) -> str:
    options = "".join(
        f'<option value="{escape(name)}">{escape(words(name))} ({count:,})</option>'
        for name, count in in_order(tally.verdicts)
    )
    return (
        '<form id="filter" role="search" hidden><label class="vh" for="text">Filter by text'
        '</label><input id="text" type="search" placeholder="Name, problem or message" '
        'autocomplete="off"><label class="vh" for="verdict">Verdict</label><select id="verdict">'
        '<option value="">every verdict</option><option value="!accepted">not accepted</option>'
        f'{options}</select><span id="count" role="status"></span></form>'
    )


def _problems(tally: Tally) -> str:
    if not tally.problems:
        return ""
    columns = list(dict.fromkeys(letters(name) for name, _ in in_order(tally.verdicts)))
    names = least_accepted({name: made.verdicts for name, made in tally.problems.items()})
    rows = "".join(_problem_row(tally, name, columns) for name in names[:_MAX_PROBLEMS])
    said = []
    if len(names) > _MAX_PROBLEMS:
        said.append(f"{len(names) - _MAX_PROBLEMS:,} problems more.")
    if tally.further_problems:
        said.append(f"Further problems had {counted(tally.further_problems, 'submission')}.")
    heads = "".join(f"<th scope=col class=num>{name}</th>" for name in columns)
    return (
        '<section class="card"><header><h2>By problem</h2><p class=q>The least accepted first. '
        "Median: CPU time of a submission, within 2 %.</p></header>"
        '<div class="scroll" tabindex="0" role="region" aria-label="By problem">'
        "<table class=plain><thead><tr><th scope=col>Problem</th><th scope=col class=num>all</th>"
        f"{heads}"
        "<th scope=col class=num>median</th><th scope=col>most failed case</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
        + (f'<p class="note">{" ".join(said)}</p>' if said else "")
        + "</section>"
    )


def _problem_row(tally: Tally, name: str, columns: list[str]) -> str:
    made = tally.problems[name]
    counts = dict.fromkeys(columns, 0)
    for verdict, count in made.verdicts.items():
        counts[letters(verdict)] += count
    cells = "".join(f"<td class=num>{f'{n:,}' if n else ''}</td>" for n in counts.values())
    median_ms, most = made.times.median_ms, made.most_failed
    case = "" if most is None else f"{shown_name(most[0])} <span class=q>({most[1]:,})</span>"
    return (
        f"<tr><th scope=row>{shown_name(name)}</th><td class=num>{made.verdicts.total():,}</td>"
        f"{cells}<td class=num>{'' if median_ms is None else time_words(median_ms)}</td>"
        f"<td>{case}</td></tr>"
    )


def _submissions(gathered: _Gathered) -> Iterator[str]:
    total, accepted = gathered.tally.total, gathered.tally.accepted
    yield '<section class="card" id="submissions"><header><h2>Submissions</h2></header>'
    left_out = total - len(gathered.failed) - len(gathered.accepted)
    if left_out:
        yield (
            f'<p class="note">Left out of this list are {left_out:,} of {total:,} submissions: it '
            f"has {MAX_SUBMISSIONS:,} at most, failing ones first. Tables and totals count all.</p>"
        )
    if len(gathered.failed) > MAX_DETAILED:
        yield (
            f'<p class="note">The first {MAX_DETAILED:,} failing ones are shown with their values, '
            "the rest with their message.</p>"
        )
    if not total:
        yield '<p class="note">There are none.</p>'
    if gathered.failed:
        yield f'<h3 class="part">{total - accepted:,} not accepted</h3><div class="list">'
        yield from (html + "\n" for _, html in gathered.failed)
        yield "</div>"
    if gathered.accepted:
        yield f'<h3 class="part">{accepted:,} accepted</h3><div class="list">'
        yield from (html + "\n" for _, html in gathered.accepted)
        yield "</div>"
    yield "</section>"
