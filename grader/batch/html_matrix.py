"""Who by problem on the page of a batch: the best submission of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import Final

from grader.batch.html_submission import shown_name
from grader.batch.records import Record
from grader.batch.tally import counted
from grader.batch.verdict_words import FAMILIES, family, letters, words
from grader.report import Verdict

MAX_KEPT_CELLS: Final = 200_000  # some 60 MB while the records go by
MAX_COLUMNS: Final = 100
MAX_SHOWN_CELLS: Final = 12_000  # 600 people by 20 problems, 1.3 MB; tables lay out slowly
_NAME_CHARS: Final = 200


@dataclass
class Cell:
    """The submissions of somebody to a problem.

    Attributes:
        position: of the best one; the first of equals.
        passed: part of its cases that passed.
    """

    verdict: str
    passed: float
    position: int
    submissions: int = 1


class Matrix:
    """Collects the best submission of everybody to every problem.

    A column is a problem of which a submission was judged: what is sent to a problem that is not
    there would make a column each.

    Attributes:
        left_out: submissions beyond the cells that are kept.
    """

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, Cell]] = {}
        self._judged: set[str] = set()
        self._kept = 0
        self.left_out = 0

    def add(self, record: Record) -> None:
        """Count one submission; one of nobody is not counted."""
        if record.who is None:
            return
        report = record.report
        share = report["passed"] / report["total"] if report and report["total"] else 0.0
        made = Cell(record.verdict, share, record.position)
        who, slug = record.who[:_NAME_CHARS], record.slug[:_NAME_CHARS]
        if report is not None:
            self._judged.add(slug)
        held = self._rows.get(who, {}).get(slug)
        if held is not None:
            submissions = held.submissions + 1
            best = made if _worth(made) > _worth(held) else held
            best.submissions = submissions
            self._rows[who][slug] = best
        elif self._kept < MAX_KEPT_CELLS:
            self._rows.setdefault(who, {})[slug] = made
            self._kept += 1
        else:
            self.left_out += 1

    def html(self, linked: set[int]) -> str:
        """Return the table, or "" where no submission names anybody.

        Args:
            linked: positions of the submissions that the page shows.
        """
        columns = self._columns()
        if not columns:
            return ""
        everybody = [who for who, row in self._rows.items() if not row.keys().isdisjoint(columns)]
        people = self._people(everybody, len(columns))
        problems = "".join(f"<th scope=col>{shown_name(slug)}</th>" for slug in columns)
        rows = "".join(self._row(who, columns, linked) for who in people)
        return (
            f'<section class="card" id="matrix"><header><h2>'
            f"{counted(len(everybody), 'person', 'people')} by "
            f"{counted(len(columns), 'problem')}</h2>"
            "<p class=q>The best submission of each; a small "
            "number says how many there are.</p></header>"
            f"{self._left_out(people, everybody, columns)}"
            f'<div class="scroll tall" tabindex="0" role="region" aria-label="Who by problem">'
            f'<table class="grid"><thead><tr><th scope=col>Who</th>{problems}'
            f"<th scope=col>Accepted</th></tr></thead><tbody>{rows}</tbody>"
            f"<tfoot>{self._foot(columns)}</tfoot></table></div></section>"
        )

    def _columns(self) -> list[str]:
        counts = Counter(
            slug for row in self._rows.values() for slug in row if slug in self._judged
        )
        most = sorted(counts, key=lambda slug: (-counts[slug], slug))
        return sorted(most[:MAX_COLUMNS])

    def _people(self, people: list[str], columns: int) -> list[str]:
        """Those with most that is not accepted where not all fit; shown by name."""

        def failing(who: str) -> tuple[int, str]:
            return -sum(c.verdict != Verdict.ACCEPTED for c in self._rows[who].values()), who

        most = max(MAX_SHOWN_CELLS // columns, 1)
        if len(people) > most:
            people = sorted(people, key=failing)[:most]
        return sorted(people, key=lambda who: (who.casefold(), who))

    def _row(self, who: str, columns: list[str], linked: set[int]) -> str:
        row = self._rows[who]
        cells = "".join(f"<td>{_cell(row.get(slug), linked)}</td>" for slug in columns)
        solved = sum(row[slug].verdict == Verdict.ACCEPTED for slug in columns if slug in row)
        return (
            f"<tr><th scope=row>{shown_name(who)}</th>{cells}"
            f"<td class=num><b>{solved}</b>/{len(columns)}</td></tr>"
        )

    def _foot(self, columns: list[str]) -> str:
        cells = []
        for slug in columns:
            sent = [row[slug].verdict for row in self._rows.values() if slug in row]
            solved = sent.count(Verdict.ACCEPTED)
            width = round(100 * solved / max(len(sent), 1))
            cells.append(
                '<td class=num><svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" '
                f'aria-hidden="true"><path class="idle" d="M0 0h100v6H0z"/><path class="ok" '
                f'd="M0 0h{width}v6H0z"/></svg>{solved:,} of {len(sent):,}</td>'
            )
        return f"<tr><th scope=row>Accepted</th>{''.join(cells)}<td></td></tr>"

    def _left_out(self, people: list[str], everybody: list[str], columns: list[str]) -> str:
        said = []
        if len(people) < len(everybody):
            said.append(
                f"Shown are the {len(people):,} people with most problems not accepted, "
                f"of {len(everybody):,}."
            )
        if len(columns) < len(self._judged):
            said.append(
                f"Shown are the {len(columns)} problems most sent to, of {len(self._judged):,}."
            )
        aside = sum(
            cell.submissions
            for row in self._rows.values()
            for slug, cell in row.items()
            if slug not in self._judged
        )
        if aside:
            sent = counted(aside, "submission")
            said.append(f"Listed below: {sent} to problems of which none was judged.")
        if self.left_out:
            said.append(f"It is full: {counted(self.left_out, 'submission')} could not be put in.")
        return f'<p class="note">{" ".join(said)}</p>' if said else ""


def _worth(cell: Cell) -> tuple[bool, bool, float]:
    return cell.verdict == Verdict.ACCEPTED, cell.verdict in FAMILIES, cell.passed


def _cell(cell: Cell | None, linked: set[int]) -> str:
    if cell is None:
        return '<span class="none">·<span class="vh">nothing sent</span></span>'
    count = f"<small>{cell.submissions:,}</small>" if cell.submissions > 1 else ""
    inside = f"{letters(cell.verdict)}{count}"
    about = f'class="cell {family(cell.verdict)}" data-v="{escape(cell.verdict)}"'
    title = f'title="{escape(words(cell.verdict))}"'
    if cell.position in linked:
        return f'<a {about} {title} href="#s{cell.position}">{inside}</a>'
    return f"<span {about} {title}>{inside}</span>"
