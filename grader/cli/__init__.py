"""The command line: a thin door to the judge. Nothing heavy is imported before it is used."""

from __future__ import annotations

import click

from grader import __version__
from grader.cli import authoring, batch, judging
from grader.cli.common import EXIT_CODES
from grader.cli.serve import serve
from grader.cli.site import site
from grader.cli.submit import submit


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Judge solutions to PyTorch, NumPy and ML problems in a sandbox."""


for _command in (
    *(judging.grade, judging.validate, judging.list_command, judging.show, judging.demo),
    *(judging.doctor, authoring.new, authoring.unpack, authoring.preview),
    *(authoring.check, authoring.case, authoring.pack, authoring.fmt),
    *(batch.batch, batch.plan, serve, submit, site),
):
    main.add_command(_command)
