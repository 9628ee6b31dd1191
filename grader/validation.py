"""Everything wrong with problem files: what their text tells, then what running them tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.engine import Grader
from grader.errors import Finding
from grader.sandbox.keeper import Isolation
from grader.spec import Problem, find_faults
from grader.specs.json_positions import place_of, read_json


def validate(paths: Sequence[Path], isolation: Isolation = "full") -> list[Finding]:
    """Return every fault of every file, in the order of the files.

    A file without faults in its text is also run: its reference on its own cases, in the jail.

    Raises:
        IsolationUnavailable: the jail cannot be had here.
        OSError: a file cannot be read.
    """
    findings: dict[Path, list[Finding]] = {}
    sound: dict[Path, Problem] = {}
    for path in paths:
        problem, findings[path] = find_faults(path)
        if problem is not None:
            sound[path] = problem
    if sound:
        with Grader(isolation=isolation) as grader:
            for path, problem in sound.items():
                findings[path] += _located(path, grader.dry_run(problem))
    return [finding for found in findings.values() for finding in found]


def _located(path: Path, faults: Iterable[tuple[str, str]]) -> list[Finding]:
    """Give faults the line and column of their JSON path, or of the nearest field above it."""
    located = read_json(path.read_text("utf-8").removeprefix("\ufeff"))
    return sorted(
        Finding(str(path), *place_of(located, json_path), json_path, message)
        for json_path, message in faults
    )
