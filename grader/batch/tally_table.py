"""The totals of a batch on a terminal: by problem and by who."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from grader.batch.safe_text import one_line
from grader.batch.tally import ProblemTally, Tally, counted, least_accepted, time_words
from grader.batch.verdict_words import family, in_order, letters, words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MAX_ROWS: Final = 30
_NAME_CHARS: Final = 40
_STYLES: Final = {
    "ok": "green",
    "wrong": "red",
    "limit": "yellow",
    "fault": "magenta",
    "stop": "bold",
    "ours": "dim",
}


def print_tally(console: Console, tally: Tally) -> None:
    """Print what became of a batch: one line, then tables by problem and by who.

    A table has at most 30 rows, those with the least share of accepted submissions first, and
    says how many were left out.

    Args:
        console: of rich; whatever it makes of markup, names are printed as they are.
    """
    from rich.text import Text

    line = Text(counted(tally.total, "submission"))
    for verdict, count in in_order(tally.verdicts):
        line.append(" · ", "dim")
        line.append(f"{count:,} {words(verdict)}", _STYLES[family(verdict)])
    if tally.cached:
        line.append(f" · {tally.cached:,} from the cache", "dim")
    console.print(line)
    if tally.problems:
        _print_problems(console, tally)
    if tally.people:
        _print_people(console, tally)


def _print_problems(console: Console, tally: Tally) -> None:
    columns = _letters_of(tally.verdicts)
    table = _table("problem", columns)
    table.add_column("median", justify="right", no_wrap=True)
    table.add_column("most failed case", overflow="fold")
    names = least_accepted({name: p.verdicts for name, p in tally.problems.items()})
    for name in names[:MAX_ROWS]:
        problem = tally.problems[name]
        cells = _cells(name, problem.verdicts, columns)
        table.add_row(*cells, _time(problem), _most_failed(problem))
    console.print(table)
    _print_rest(console, len(names), "problems", tally.further_problems)


def _print_people(console: Console, tally: Tally) -> None:
    columns = _letters_of(tally.verdicts)
    table = _table("who", columns)
    names = least_accepted(tally.people)
    for name in names[:MAX_ROWS]:
        table.add_row(*_cells(name, tally.people[name], columns))
    console.print(table)
    _print_rest(console, len(names), "people", tally.further_people)


def _table(first: str, columns: list[str]) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column(first, overflow="fold")
    table.add_column("all", justify="right", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _letters_of(verdicts: Counter[str]) -> list[str]:
    """The columns that hold something; faults of every kind share one."""
    return list(dict.fromkeys(letters(verdict) for verdict, _ in in_order(verdicts)))


def _cells(name: str, verdicts: Counter[str], columns: list[str]) -> list[Text]:
    from rich.text import Text

    counts: Counter[str] = Counter()
    styles = {}
    for verdict, count in verdicts.items():
        counts[letters(verdict)] += count
        styles[letters(verdict)] = _STYLES[family(verdict)]
    shown = [
        Text(f"{counts[column]:,}", styles[column]) if counts[column] else Text("·", "dim")
        for column in columns
    ]
    return [Text(one_line(name, _NAME_CHARS) or "(none)"), Text(f"{counts.total():,}"), *shown]


def _time(problem: ProblemTally) -> Text:
    from rich.text import Text

    median_ms = problem.times.median_ms
    return Text("" if median_ms is None else time_words(median_ms))


def _most_failed(problem: ProblemTally) -> Text:
    from rich.text import Text

    most = problem.most_failed
    return Text("" if most is None else f"{one_line(most[0], _NAME_CHARS)} ({most[1]:,})")


def _print_rest(console: Console, rows: int, what: str, further: int) -> None:
    from rich.text import Text

    if rows > MAX_ROWS:
        console.print(Text(f"… {rows - MAX_ROWS:,} {what} more", "dim"))
    if further:
        console.print(Text(f"… {further:,} submissions of further {what}", "dim"))
