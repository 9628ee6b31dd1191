"""The commands of those who judge: grade, validate, list, show, demo, doctor."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

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
    load,
    make_grader,
    problem_files,
)

if TYPE_CHECKING:
    from grader.report import Report
    from grader.sandbox.keeper import Isolation


@click.command(epilog=EXIT_CODES)
@click.argument("problem")
@click.argument("submission")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--static-check/--no-static-check",
    default=True,
    help="Look for forbidden names before running; the sandbox holds either way.",
)
@isolation_option
def grade(
    problem: str, submission: str, as_json: bool, static_check: bool, isolation: Isolation
) -> None:
    """Judge SUBMISSION, a Python file or - for standard input, against PROBLEM, a slug or path."""
    spec = load(problem)
    source = read_submission(submission)
    with faults_explained(), make_grader(isolation) as grader:
        report = grader.grade(spec, source, static_check=static_check)
    show_report(report, as_json, "standard input" if submission == "-" else submission)
    sys.exit(exit_code_of(report))


@click.command(epilog=EXIT_CODES)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@isolation_option
def validate(paths: tuple[Path, ...], isolation: Isolation) -> None:
    """Check problem files: schema, code, and the reference run on its own cases.

    Prints every fault as file:line:column: $.json.path: found, expected. A folder stands
    for the .json files in it.
    """
    from grader.validation import validate as find

    files = problem_files(paths)
    with faults_explained():
        findings = find(files, isolation)
    for finding in findings:
        click.echo(str(finding))
    faulty = len({finding.file for finding in findings})
    click.echo(
        f"{len(files)} checked, {len(files) - faulty} sound, {faulty} faulty"
        f" ({len(findings)} findings)",
        err=True,
    )
    sys.exit(USAGE if findings else ACCEPTED)


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def list_command(as_json: bool) -> None:
    """List the problems of the bundle."""
    from grader.spec import list_problems

    problems = [load(str(path)) for path in list_problems()]
    if as_json:
        keys = ("slug", "title", "difficulty", "category")
        rows = [{**{k: getattr(p, k) for k in keys}, "tags": list(p.tags)} for p in problems]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for p in problems:
        click.echo(f"{p.slug:40}  {p.difficulty:7}  {p.category:10}  {p.title}")


@click.command()
@click.argument("problem")
@click.option("--language", help="Of the texts, where the problem has them: en, zh, vi.")
@click.option("--hints", type=click.IntRange(min=0), default=0, help="How many hints to show.")
def show(problem: str, language: str | None, hints: int) -> None:
    """Show a problem's statement, limits, shown cases and starter code."""
    spec = load(problem)
    there = [spec.language, *spec.translations]
    if language is not None and language not in there:
        fail(USAGE, f"{spec.slug} is not in {language!r}; there are {', '.join(there)}")
    from grader.terminal import console, print_problem

    print_problem(console(), spec, language, hints)


@click.command()
@isolation_option
def demo(isolation: Isolation) -> None:
    """Judge a handful of example submissions, right and wrong, and print each report."""
    from grader.specs.problem_schema import bundle_folder
    from grader.terminal import console, print_report

    out = console()
    with faults_explained(), make_grader(isolation) as grader:
        for folder in sorted(path for path in bundle_folder("examples").iterdir() if path.is_dir()):
            problem = load(folder.name)
            for path in sorted(folder.glob("*.py")):
                report = grader.grade(problem, path.read_bytes())
                print_report(out, report, f"{folder.name} {path.name}")
                out.print()


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the diagnosis as JSON.")
def doctor(as_json: bool) -> None:
    """Tell whether this host can isolate submissions, by trying every forbidden act.

    Exit 0 only if the level is full, else 3.
    """
    from grader.doctor import examine

    found = examine()
    if as_json:
        click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        for fact in found.facts:
            click.echo(f"{fact.name:26} {fact.found}")
        for act in found.acts:
            click.echo(f"{act.name:34.34} {'denied' if act.denied else 'NOT DENIED'}  ({act.how})")
        click.echo(f"isolation level: {found.level}")
        for sentence in found.advice:
            click.echo(f"  - {sentence}")
    sys.exit(ACCEPTED if found.level == "full" else FAULT)


def read_submission(submission: str) -> bytes:
    """Return a submission's source, of a file or, for "-", of standard input."""
    from grader.limits import MAX_SOURCE_BYTES

    # One byte more than allowed is enough to be refused for size.
    if submission == "-":
        return sys.stdin.buffer.read(MAX_SOURCE_BYTES + 1)
    try:
        with Path(submission).open("rb") as file:
            return file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        fail(USAGE, f"{submission}: {error.strerror}")


def show_report(report: Report, as_json: bool, title: str) -> None:
    """Print a report."""
    if as_json:
        click.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
        return
    from grader.terminal import console, print_report

    print_report(console(), report, title)


def exit_code_of(report: Report) -> int:
    """Return with what a command ends that judged one submission."""
    if report.verdict == "accepted":
        return ACCEPTED
    return FAULT if report.verdict == "internal_error" else REJECTED
