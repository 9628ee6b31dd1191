"""The commands of those who write problems."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.common import (
    EXIT_CODES,
    USAGE,
    fail,
    faults_explained,
    isolation_option,
    load,
    make_grader,
)
from grader.sandbox.keeper import Isolation

_FOLDER = click.Path(file_okay=False, path_type=Path)


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
