"""A problem on the workbench: its spec, and the solutions that lie beside it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.folders import is_folder, pack, python_files, solutions_folder
from grader.errors import Finding, SpecError
from grader.spec import Problem, find_faults

_VERDICT = re.compile(r"^Verdict: (\w+)\.?$", re.MULTILINE)


@dataclass(frozen=True)
class Solution:
    """A solution that must pass, or fail.

    Attributes:
        verdict: what a wrong one's docstring says it gets; None if it says nothing.
    """

    name: str
    source: bytes
    verdict: str | None = None


@dataclass(frozen=True)
class Workpiece:
    """All that the gate looks at.

    Attributes:
        problem: None where the spec is faulty.
        faults: of the spec.
        twin: text of `solution.py`, where there is one beside a packed problem.
    """

    slug: str
    problem: Problem | None
    faults: tuple[Finding, ...]
    accepted: tuple[Solution, ...]
    wrong: tuple[Solution, ...]
    twin: str | None = None


def open_workpiece(path: Path) -> Workpiece:
    """Read a problem's JSON file, or a folder that people edit, and the solutions.

    Raises:
        OSError: a file cannot be read.
    """
    if is_folder(path):
        try:
            packed = pack(path)
        except SpecError as error:
            return Workpiece(path.resolve().name, None, error.findings, (), ())
        problem, faults = find_faults(path / "problem.json", packed.text)
        return _with_solutions(packed.slug, problem, faults, path, None)
    problem, faults = find_faults(path)
    beside = solutions_folder(path)
    twin = beside / "solution.py"
    text = twin.read_bytes().decode("utf-8", "replace") if twin.is_file() else None
    return _with_solutions(path.stem, problem, faults, beside, text)


def _with_solutions(
    slug: str, problem: Problem | None, faults: list[Finding], folder: Path, twin: str | None
) -> Workpiece:
    accepted = tuple(Solution(f.name, f.read_bytes()) for f in python_files(folder / "accepted"))
    wrong = tuple(
        Solution(f.name, f.read_bytes(), _named_verdict(f)) for f in python_files(folder / "wrong")
    )
    return Workpiece(slug, problem, tuple(faults), accepted, wrong, twin)


def _named_verdict(file: Path) -> str | None:
    """The verdict that the docstring of a wrong solution names."""
    try:
        doc = ast.get_docstring(ast.parse(file.read_bytes())) or ""
    except (SyntaxError, ValueError):
        return None
    named = _VERDICT.search(doc)
    return named[1] if named else None
