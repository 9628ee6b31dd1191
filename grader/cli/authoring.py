"""The commands of those who write problems."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.common import (
    ACCEPTED,
    EXIT_CODES,
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
    from grader.authoring.workshop import Workpiece
    from grader.sandbox.keeper import Isolation

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(epilog=EXIT_CODES)
@click.argument("targets", nargs=-1)
@click.option("--all", "whole_bundle", is_flag=True, help="Check every problem of the bundle.")
@click.option("--changed-since", metavar="REF", help="Check what differs from a git commit.")
@click.option("--suggest", is_flag=True, help="Search for cases that kill surviving mutants.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    show_default="cores",
    help="Submissions judged at a time.",
)
@click.option("--cache/--no-cache", default=True, help="Skip problems that have not changed.")
@isolation_option
def check(
    targets: tuple[str, ...],
    whole_bundle: bool,
    changed_since: str | None,
    suggest: bool,
    as_json: bool,
    jobs: int,
    cache: bool,
    isolation: Isolation,
) -> None:
    """Prove problems: TARGETS are slugs, JSON files or unpacked folders.

    Runs reference, starter, right and wrong solutions and mutants of the reference through the
    grader, and looks at tolerance, limits, examples, formulas and translations.
    """
    from grader.authoring.gate import inspect
    from grader.authoring.results import KeptResults, default_folder
    from grader.spec import list_problems

    _need_author_tools()
    if bool(targets) + whole_bundle + (changed_since is not None) != 1:
        fail(USAGE, "name what to check: slugs, files, folders, or --all, or --changed-since REF")
    chosen = list(targets) or list(map(str, list_problems()))
    if changed_since is not None:
        chosen = _changed(changed_since)
    pieces = [_open(target) for target in chosen]
    inspections = []
    with faults_explained(), make_grader(isolation, jobs) as grader:
        kept = KeptResults(default_folder(), dict(grader.versions))
        for piece in pieces:
            found = kept.find(piece) if cache and not suggest else None
            if found is None:
                found = inspect(grader, piece, suggest=suggest)
                kept.keep(piece, found)
            inspections.append(found)
    if as_json:
        click.echo(json.dumps([each.to_dict() for each in inspections], ensure_ascii=False))
    else:
        from grader.authoring.table import print_inspections
        from grader.terminal import console

        print_inspections(console(), inspections)
    sys.exit(ACCEPTED if all(each.passes for each in inspections) else REJECTED)


def _changed(since: str) -> list[str]:
    from grader.authoring.changes import NoSuchCommit, changed_problems
    from grader.specs.problem_schema import bundle_folder

    here = Path("problems")
    try:
        files = changed_problems(since, here if here.is_dir() else bundle_folder("problems"))
    except NoSuchCommit as error:
        fail(USAGE, str(error))
    return list(map(str, files))


def _need_author_tools() -> None:
    """End with the line that installs what the gate and the page need, where it is missing."""
    from importlib.util import find_spec

    needed = ("poodle", "math_core", "markdown_it", "mdit_py_plugins", "pygments")
    if missing := [name for name in needed if find_spec(name) is None]:
        fail(
            USAGE,
            f"this needs {', '.join(missing)}: pip install 'tensorjudge[author]'"
            " (in a checkout: pip install '.[author]')",
        )


def _open(target: str) -> Workpiece:
    from grader.authoring.folders import is_folder
    from grader.authoring.workshop import open_workpiece
    from grader.errors import UnknownProblem
    from grader.spec import find_problem

    path = Path(target)
    try:
        return open_workpiece(path if is_folder(path) else find_problem(target))
    except UnknownProblem as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")


@click.command(epilog=EXIT_CODES)
@click.argument("problem")
@click.argument("index", type=int)
@click.option("--size", type=click.IntRange(min=1), help="Draw a case of this size.")
@isolation_option
def case(problem: str, index: int, size: int | None, isolation: Isolation) -> None:
    """Print the inputs of a generated case as Python: PROBLEM, and INDEX from the report."""
    from grader.errors import ReferenceFault

    spec = load(problem)
    drawn = [n for n, each in enumerate(spec.cases) if each.drawn is not None]
    if not 0 <= index < len(drawn):
        told = f"0 to {len(drawn) - 1} expected" if drawn else "it has none"
        fail(USAGE, f"no generated case {index} in {spec.slug}: {told}")
    with faults_explained(), make_grader(isolation) as grader:
        try:
            inputs = grader.case_inputs(spec, drawn[index], size)
        except ReferenceFault as fault:
            fail(USAGE, f"{fault.path}: {fault}")
    seed = spec.generated_cases.seed if spec.generated_cases else 0
    click.echo(f"# {spec.slug}, generated case {index}, seed {seed}", nl=False)
    click.echo(f", size {size}" if size else "")
    click.echo("import math\n\nimport numpy as np\nimport torch\n")
    for name, expression in inputs.items():
        click.echo(f"{name} = {expression}")


@click.command()
@click.argument("problem")
@click.argument("folder", type=_FOLDER, required=False)
def unpack(problem: str, folder: Path | None) -> None:
    """Write PROBLEM, a slug or path, as a FOLDER of Markdown and Python files to edit.

    Without FOLDER one named as the slug is made here. Nothing is overwritten.
    """
    from grader.authoring.folders import solutions_folder
    from grader.authoring.folders import unpack as write
    from grader.spec import find_problem

    spec = load(problem)
    target = folder or Path(spec.slug)
    try:
        files = write(spec.raw, target, solutions_folder(find_problem(problem)))
    except OSError as error:
        fail(USAGE, str(error))
    for path in files:
        click.echo(path)


@click.command()
@click.argument("folder", type=_FOLDER, default=Path(), required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Where the JSON goes.")
def pack(folder: Path, out: Path | None) -> None:
    """Write the problem that FOLDER holds as canonical JSON; a faulty one is not written.

    It goes to --out, else to problems/ here where there is one, else beside FOLDER. Where a
    folder reference/ is beside problems/, reference, accepted/ and wrong/ go there.
    """
    from grader.authoring.folders import is_folder, mirror_solutions, solutions_folder
    from grader.authoring.folders import pack as join
    from grader.errors import SpecError

    if not is_folder(folder):
        fail(USAGE, f"{folder} holds no problem.json; `grader unpack` or `grader new` makes one")
    try:
        packed = join(folder)
    except SpecError as error:
        fail(USAGE, f"not packed:\n{error}")
    here = Path("problems")
    target = out or (here if here.is_dir() else folder.resolve().parent) / f"{packed.slug}.json"
    try:
        target.write_text(packed.text, "utf-8", newline="")
        click.echo(f"wrote {target}")
        beside = solutions_folder(target)
        if target.resolve().parent.name == "problems" and beside.parent.is_dir():
            for told in mirror_solutions(folder, beside, packed.reference_code):
                click.echo(told)
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")


@click.command()
@click.argument("slug")
@click.argument("folder", type=_FOLDER, required=False)
def new(slug: str, folder: Path | None) -> None:
    """Begin a problem named SLUG: a folder of files that work, with marks where yours go.

    Without FOLDER one named as the slug is made here.
    """
    import re

    from grader.authoring.template import marks_left, new_problem
    from grader.specs.problem_schema import problem_schema

    pattern = problem_schema()["properties"]["slug"]["pattern"]
    if not re.fullmatch(pattern, slug):
        fail(USAGE, f"{slug!r} is no slug: small letters and digits, words joined by hyphens")
    target = folder or Path(slug)
    try:
        files = new_problem(slug, target)
    except OSError as error:
        fail(USAGE, str(error))
    for path in files:
        click.echo(path)
    click.echo(f"\nto write: {', '.join(marks_left(target))}", err=True)
    click.echo(f"then: grader check {target}; grader pack {target}", err=True)


@click.command()
@click.argument("target")
@click.option(
    "--html", "out", type=click.Path(dir_okay=False, path_type=Path), help="Write a page instead."
)
def preview(target: str, out: Path | None) -> None:
    """Show a problem as a learner will see it; TARGET is a slug, JSON file or folder."""
    piece = _open(target)
    if piece.problem is None:
        fail(USAGE, "the spec is faulty:\n" + "\n".join(map(str, piece.faults)))
    if out is None:
        from grader.terminal import console, print_problem

        print_problem(console(), piece.problem)
        return
    _need_author_tools()
    from grader.authoring.markdown import BadFormula
    from grader.authoring.preview import preview_page

    try:
        out.write_text(preview_page(piece.problem), "utf-8")
    except BadFormula as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, f"{error.filename}: {error.strerror}")
    click.echo(f"wrote {out}")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", "only_tell", is_flag=True, help="Write nothing; exit 1 if any would be.")
def fmt(paths: tuple[Path, ...], only_tell: bool) -> None:
    """Write problem files in canonical form: key order, indent, final newline.

    A folder stands for the .json files in it. What is not JSON is left as it is.
    """
    from grader.specs.json_positions import JsonFault, read_json
    from grader.specs.problem_schema import to_canonical_json

    changed, broken = [], []
    for path in problem_files(paths):
        try:
            text = path.read_bytes().decode("utf-8")
            raw = read_json(text.removeprefix("\ufeff")).value
        except (JsonFault, UnicodeDecodeError, OSError) as error:
            broken.append(f"{path}: {error}")
            continue
        if not isinstance(raw, dict):
            broken.append(f"{path}: an object expected")
        elif (canonical := to_canonical_json(raw)) != text:
            changed.append(path)
            if not only_tell:
                path.write_text(canonical, "utf-8", newline="")
    for path in changed:
        click.echo(f"{'not canonical' if only_tell else 'wrote'}: {path}")
    for told in broken:
        click.echo(f"grader: {told}", err=True)
    sys.exit(USAGE if broken else REJECTED if changed and only_tell else ACCEPTED)
