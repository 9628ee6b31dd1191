"""`grader batch` and `grader plan`: thousands of submissions, on this machine or on many."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import (
    ACCEPTED,
    EXIT_CODES,
    FAULT,
    REJECTED,
    USAGE,
    fail,
    faults_explained,
    isolation_option,
)

if TYPE_CHECKING:
    from grader.batch.entries import Layout
    from grader.batch.executor import Executor
    from grader.sandbox.keeper import Isolation

_FILE = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True)
class _Reports:
    """Files to write once all is judged."""

    junit: Path | None
    csv: Path | None
    html: Path | None
    points: Path | None
    gradebook: Path | None
    github: bool


@click.command(epilog=EXIT_CODES)
@click.argument("source", metavar="INPUT")
@click.option("--out", type=_FILE, required=True, help="JSON Lines, one record a submission.")
@click.option(
    "--pattern",
    default="{who}/{slug}.py",
    show_default=True,
    help="Layout of a folder or an archive; * stands for anything within a name.",
)
@click.option(
    "--problems",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="A folder of problem files, in place of the bundle.",
)
@click.option(
    "--order",
    type=click.Choice(["input", "finish"]),
    default="input",
    show_default=True,
    help="Write records in the order of the input, or as they finish.",
)
@click.option("--fresh", is_flag=True, help="Throw away what --out holds and begin anew.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of reports that are used again by later runs.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    show_default="cores",
    help="Submissions judged at a time, on each machine.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Judge on this machine, or on a Ray cluster.",
)
@click.option("--address", help="Of the Ray cluster; without it one is started here.")
@click.option("--static-check/--no-static-check", default=True, help="As for `grader grade`.")
@click.option(
    "--fail-on",
    default="internal_error",
    show_default=True,
    help="Verdicts and kinds of faults, with commas, that make the exit code 1.",
)
@click.option("--expect", help="The one verdict that does not make the exit code 1.")
@click.option("--junit", type=_FILE, help="Write JUnit XML.")
@click.option("--csv", type=_FILE, help="Write a row a submission.")
@click.option("--html", type=_FILE, help="Write one self-contained page.")
@click.option("--github", is_flag=True, help="Print annotations and write the step summary.")
@click.option("--points", type=_FILE, help="JSON with points a problem and weights a case.")
@click.option("--gradebook", type=_FILE, help="Where the scores by --points go, as CSV.")
@click.option("--quiet", is_flag=True, help="No progress and no table.")
@isolation_option
def batch(
    source: str,
    out: Path,
    pattern: str,
    problems: Path | None,
    order: str,
    fresh: bool,
    cache: Path | None,
    jobs: int | None,
    engine: str,
    address: str | None,
    static_check: bool,
    fail_on: str,
    expect: str | None,
    quiet: bool,
    isolation: Isolation,
    **reports: Any,
) -> None:
    """Judge many submissions: INPUT is a folder, an archive, JSON Lines, or - for those on stdin.

    JSON Lines hold {"id", "slug", "source"} and may hold "who"; gzip and zstd are recognised.
    Killed at any moment and started again with the same command, a run goes on where it was.
    """
    from grader.batch.cache import ReportCache
    from grader.batch.entries import BadPattern, Layout, UnreadableInput, read_entries
    from grader.batch.journal import Journal, OutputLost, OutputRefused
    from grader.batch.runner import BatchRun
    from grader.batch.tally import Tally

    wanted = _Reports(**reports)
    failing = _verdicts(fail_on.split(",")) if expect is None else None
    expected = _verdicts([expect]) if expect is not None else None
    if (wanted.points is None) != (wanted.gradebook is None):
        fail(USAGE, "--points says how to score, --gradebook where the scores go: give both")
    try:
        layout = Layout(pattern)
    except BadPattern as error:
        fail(USAGE, str(error))
    if source != "-" and not Path(source).exists():
        fail(USAGE, f"{source}: no such file or folder")
    _expect_different_files(source, out, wanted)
    shelf = _shelf(problems)
    tally = Tally()
    with faults_explained(), _executor(engine, address, jobs, isolation) as executor:
        run = {
            "input": source if source == "-" else str(Path(source).resolve()),
            "pattern": pattern,
            "order": order,
            "static_check": static_check,
            "isolation": isolation,
            "problems": shelf.digest,
            "versions": executor.versions,
        }
        try:
            with (
                Journal(out, run, fresh=fresh) as journal,
                _progress(source, layout, quiet) as told,
            ):

                def on_record(record: Any) -> None:
                    tally.add(record)
                    told(record)

                BatchRun(
                    executor,
                    journal,
                    shelf.find,
                    cache=None if cache is None else ReportCache(cache),
                    in_order=order == "input",
                    static_check=static_check,
                    on_record=on_record,
                ).run(read_entries(source, layout))
        except OutputRefused as error:
            fail(USAGE, str(error))
        except OutputLost as error:
            fail(FAULT, str(error))
        except (UnreadableInput, ValueError) as error:
            fail(USAGE, str(error))
        except OSError as error:
            fail(USAGE, f"{error.filename or out}: {error.strerror}")
    _write_reports(out, wanted)
    if not quiet:
        from grader.batch.tally_table import print_tally
        from grader.terminal import console

        print_tally(console(), tally)
    found = {verdict for verdict, count in tally.verdicts.items() if count}
    bad = found - expected if expected is not None else found & (failing or set())
    sys.exit(REJECTED if bad else ACCEPTED)


def _expect_different_files(source: str, out: Path, wanted: _Reports) -> None:
    """End where two of the files are one: writing it would destroy the other."""
    read = [] if source == "-" else [Path(source)]
    read += [] if wanted.points is None else [wanted.points]
    written = [out, wanted.junit, wanted.csv, wanted.html, wanted.gradebook]
    seen: set[Path] = {path.resolve() for path in read}
    for path in written:
        if path is not None and path.resolve() in seen:
            fail(USAGE, f"{path} is named twice; it would be overwritten")
        if path is not None:
            seen.add(path.resolve())


def _shelf(problems: Path | None) -> Any:
    from grader.batch.problems import ProblemShelf
    from grader.errors import SpecError

    try:
        return ProblemShelf(problems)
    except SpecError as error:
        fail(USAGE, f"faulty problems:\n{error}")


@contextmanager
def _executor(
    engine: str, address: str | None, jobs: int | None, isolation: Isolation
) -> Iterator[Executor]:
    if engine == "local":
        if address is not None:
            fail(USAGE, "--address is of a Ray cluster: add --engine ray")
        from grader.batch.executor import LocalPool

        with LocalPool(jobs or os.cpu_count() or 1, isolation) as pool:
            yield pool
        return
    from importlib.util import find_spec

    if find_spec("ray") is None:
        fail(USAGE, "--engine ray needs Ray: pip install 'tensorjudge[cluster]'")
    from grader.batch.ray_pool import RayPool

    with RayPool(address, workers=jobs, isolation=isolation) as cluster:
        yield cluster


@contextmanager
def _progress(source: str, layout: Layout, quiet: bool) -> Iterator[Callable[[Any], None]]:
    if quiet:
        yield lambda record: None
        return
    from grader.batch.entries import count_entries
    from grader.batch.progress import Progress

    with Progress(sys.stderr, count_entries(source, layout)) as shown:
        yield shown.add


def _write_reports(out: Path, wanted: _Reports) -> None:
    """Write what was asked for from the finished output, one pass each."""
    from grader.batch.records import read_records
    from grader.errors import SpecError

    try:
        if wanted.junit is not None:
            from grader.batch.junit import write_junit

            with wanted.junit.open("w", encoding="utf-8") as file:
                write_junit(read_records(out), file)
        if wanted.csv is not None:
            from grader.batch.csv_table import write_csv

            with wanted.csv.open("w", encoding="utf-8", newline="") as file:
                write_csv(read_records(out), file)
        if wanted.html is not None:
            from grader.batch.html_page import write_html

            write_html(read_records(out), wanted.html)
        if wanted.points is not None and wanted.gradebook is not None:
            from grader.batch.points import load_weights, score, write_gradebook

            book = score(read_records(out), load_weights(wanted.points))
            with wanted.gradebook.open("w", encoding="utf-8", newline="") as file:
                write_gradebook(book, file)
            for weight in book.unused:
                click.echo(f"grader: no report used the weight of {weight}", err=True)
            if book.nameless:
                told = (
                    f"{book.nameless} submissions name nobody; they are in no row of the gradebook"
                )
                click.echo(f"grader: {told}", err=True)
        if wanted.github:
            _tell_github(out)
    except SpecError as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")


def _tell_github(out: Path) -> None:
    from grader.batch.github import annotations, append_step_summary, step_summary
    from grader.batch.records import read_records

    for line in annotations(read_records(out)):
        click.echo(line)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        append_step_summary(step_summary(read_records(out)), Path(summary))


def _verdicts(words: list[str]) -> set[str]:
    """Names of verdicts and of kinds of faults, or the end with those there are."""
    from grader.batch.verdict_words import LETTERS

    named = {word.strip() for word in words if word.strip()}
    if unknown := sorted(named - set(LETTERS)):
        fail(USAGE, f"no verdict {unknown[0]!r}; there are {', '.join(LETTERS)}")
    return named


@click.command()
@click.option("--submissions", type=click.IntRange(min=1), required=True, metavar="N")
@click.option("--cores-per-node", type=click.IntRange(min=1), required=True, metavar="C")
@click.option("--nodes", type=click.IntRange(min=1), default=1, show_default=True, metavar="M")
@click.option(
    "--cpu-ms-per-submission",
    type=click.FloatRange(min=0, min_open=True),
    metavar="X",
    help="CPU milliseconds of one submission, grader's own included; by default the bundle's.",
)
def plan(
    submissions: int, cores_per_node: int, nodes: int, cpu_ms_per_submission: float | None
) -> None:
    """Reckon what judging many submissions takes: time, nodes, memory, disk."""
    from grader.batch.plan import CPU_MS_PER_SUBMISSION, plan_table
    from grader.batch.plan import plan as reckon

    cost_ms = cpu_ms_per_submission or CPU_MS_PER_SUBMISSION
    click.echo(plan_table(reckon(submissions, cores_per_node, nodes, cost_ms)))
