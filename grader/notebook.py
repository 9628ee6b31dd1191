"""Judges what a notebook's cell defines, through the same wall as any submission.

from grader.notebook import check

def average_ranks(x):
    ...

check("average-ranks")
"""

from __future__ import annotations

import ast
import atexit
import html
import sys
from typing import Any

from grader.engine import Grader
from grader.report import CaseResult, Report
from grader.spec import Problem, load_problem

_grader: Grader | None = None


class NothingToJudge(Exception):
    """No cell defines the problem's entry point; the message says what is looked for."""


def check(slug: str, source: str | None = None) -> Judgement:
    """Judge a solution and show what came of it.

    Args:
        slug: of the problem, or the path of its file.
        source: to judge; in a notebook the last cell that defines the entry point is taken if it
            is left out, with the imports of the cells before.

    Raises:
        NothingToJudge: no source was given and no cell defines the entry point.
        UnknownProblem, SpecError, IsolationUnavailable: see `load_problem` and `Grader`.
    """
    problem = load_problem(slug)
    text = source if source is not None else source_from_cells(_cells(), problem.entry_point)
    return Judgement(problem, _warm().grade(problem, text), text)


def source_from_cells(cells: list[str], entry_point: str) -> str:
    """Return the source of a submission from the cells of a notebook, oldest first.

    The last cell that defines the entry point is taken, without the calls of `check` in it and the
    lines that only a notebook understands; before it go the imports of all earlier cells.

    Raises:
        NothingToJudge: none does.
    """
    trees = [(cell, tree) for cell in cells if (tree := _parsed(cell)) is not None]
    place = next(
        (n for n in range(len(trees) - 1, -1, -1) if _defines(trees[n][1], entry_point)), None
    )
    if place is None:
        raise NothingToJudge(f"no cell defines `{entry_point}`")
    imports: dict[str, None] = {}
    for _, tree in trees[:place]:
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom) and not _is_ours(node):
                imports[ast.unparse(node)] = None
    kept = [node for node in trees[place][1].body if not _is_ours(node)]
    return "\n".join([*imports, ast.unparse(ast.Module(kept, []))]) + "\n"


def _parsed(cell: str) -> ast.Module | None:
    lines = ["" if line.lstrip().startswith(("%", "!")) else line for line in cell.splitlines()]
    try:
        return ast.parse("\n".join(lines))
    except SyntaxError:
        return None


def _defines(tree: ast.Module, name: str) -> bool:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=found) | ast.ClassDef(name=found) if found == name:
                return True
            case ast.Assign(targets=targets):
                if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                    return True
    return False


def _is_ours(node: ast.stmt) -> bool:
    """Whether a statement asks for this judgement, or imports what does."""
    match node:
        case ast.ImportFrom(module="grader.notebook"):
            return True
        case ast.Expr(value=ast.Call(func=called)) | ast.Assign(value=ast.Call(func=called)):
            return ast.unparse(called).rpartition(".")[2] == "check"
    return False


def _cells() -> list[str]:
    """What was run in this notebook so far, the present cell last."""
    shell: Any = sys.modules.get("IPython")
    session = shell.get_ipython() if shell is not None else None
    if session is None:
        raise NothingToJudge("there is no notebook here: give the source, check(slug, source)")
    return [str(cell) for cell in session.user_ns.get("In", [])]


def _warm() -> Grader:
    """One grader for the whole notebook."""
    global _grader
    if _grader is None:
        _grader = Grader()
        atexit.register(close)
    return _grader


def close() -> None:
    """End the grader that the notebook's checks share; the next check starts another."""
    global _grader
    if _grader is not None:
        _grader.close()
        _grader = None


class Judgement:
    """A report as a notebook shows it.

    Attributes:
        report: all there is to say.
        source: what was judged.
    """

    def __init__(self, problem: Problem, report: Report, source: str) -> None:
        self._problem = problem
        self.report = report
        self.source = source

    def __repr__(self) -> str:
        lines = [f"{self._problem.slug}: {self._sentence()}"]
        lines += [f"  {case.case_name}: {case.verdict}" for case in self.report.cases]
        failed = self._first_failed()
        if failed is not None:
            lines += [f"  {name}: {value}" for name, value in _details(failed)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(case.case_name)}</td><td>{case.verdict}</td>"
            f"<td style='text-align:right'>{case.time_ms:.1f} ms</td></tr>"
            for case in self.report.cases
        )
        failed = self._first_failed()
        more = ""
        if failed is not None:
            pairs = "".join(
                f"<tr><td>{name}</td><td><pre style='margin:0'>{html.escape(value)}</pre></td></tr>"
                for name, value in _details(failed)
            )
            more = f"<p>{html.escape(failed.case_name)}</p><table>{pairs}</table>"
        head = html.escape(f"{self._problem.slug}: {self._sentence()}")
        return f"<p><b>{head}</b></p><table>{rows}</table>{more}"

    def _sentence(self) -> str:
        report = self.report
        told = f"{report.verdict}, {report.passed} of {report.total} cases"
        reasons = [report.message] if report.message else []
        reasons += [f"line {v.line}: {v.message}" for v in report.violations]
        return told + "".join(f"; {reason}" for reason in reasons)

    def _first_failed(self) -> CaseResult | None:
        return next((case for case in self.report.cases if not case.passed), None)


def _details(case: CaseResult) -> list[tuple[str, str]]:
    """What is known of the first case that failed."""
    given = ", ".join(f"{name}={value}" for name, value in (case.input or {}).items())
    found = [
        ("input", given),
        ("expected", _preview(case.expected_summary)),
        ("returned", _preview(case.user_output_summary)),
        ("message", case.message),
        ("hint", case.hint or ""),
        ("printed", case.stdout),
    ]
    return [(name, value) for name, value in found if value]


def _preview(summary: Any) -> str:
    return str(summary.get("preview", "")) if isinstance(summary, dict) else str(summary or "")
