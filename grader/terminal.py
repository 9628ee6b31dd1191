"""Reports as text for a person: in colour on a terminal, plain when piped."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.report import CaseResult, Report, Verdict
from grader.spec import Problem

_STYLES = {
    Verdict.ACCEPTED: "bold green",
    Verdict.SKIPPED: "dim",
    Verdict.INTERNAL_ERROR: "bold magenta",
}
_FAILED_STYLE = "bold red"
# Wide enough for a message to stand on one line where nobody wraps it.
_PIPED_WIDTH = 160
_SHOWN_LINES = 8


def console() -> Console:
    """A console on standard output that interprets nothing in the text it is given."""
    terminal = sys.stdout.isatty()
    return Console(
        width=None if terminal else _PIPED_WIDTH,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=False,
    )


def print_report(out: Console, report: Report, title: str) -> None:
    """Print verdict, a table of cases, and the first failure in full."""
    head = Text(f"{title}: ")
    head.append(str(report.verdict), _style(report.verdict))
    head.append(f"  {report.passed}/{report.total} cases", "default")
    head.append(f"  {report.usage.wall_ms:.1f} ms", "dim")
    if report.isolation != "full":
        head.append("  NOT ISOLATED", "bold yellow")
    out.print(head)
    if report.message:
        out.print(Text(f"  {report.message}"))
    for violation in report.violations:
        place = f"  line {violation.line}, column {violation.column}: "
        out.print(Text(place + violation.message))
    _print_stream(out, "printed while loading", report.stdout)
    if any(case.verdict is not Verdict.SKIPPED for case in report.cases):
        out.print(_case_table(report.cases))
        failed = next((case for case in report.cases if not case.passed), None)
        if failed is not None:
            _print_failure(out, failed)


def _case_table(cases: tuple[CaseResult, ...]) -> Table:
    table = Table(box=None, pad_edge=True, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("#", justify="right")
    table.add_column("case", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("memory", justify="right", no_wrap=True)
    table.add_column("message", overflow="fold", ratio=1)
    for case in cases:
        run = case.verdict is not Verdict.SKIPPED
        table.add_row(
            str(case.case_id),
            Text(case.case_name + (" (hidden)" if case.hidden else "")),
            Text(str(case.verdict), _style(case.verdict)),
            f"{case.time_ms:.1f} ms" if run else "",
            f"{case.memory_mb:.0f} MiB" if run else "",
            Text(_first_line(case.message)),
        )
    return table


def _print_failure(out: Console, case: CaseResult) -> None:
    out.print(Text(f"  case {case.case_id}, {case.case_name}:", "bold"))
    if case.input:
        given = ", ".join(f"{name}={value}" for name, value in case.input.items())
        out.print(Text(f"    input     {given}"))
    if case.expected_summary is not None:
        out.print(Text(f"    expected  {_summary(case.expected_summary)}"))
    if case.user_output_summary is not None:
        out.print(Text(f"    returned  {_summary(case.user_output_summary)}"))
    if "\n" in case.message:
        for line in case.message.splitlines()[:_SHOWN_LINES]:
            out.print(Text(f"    {line}"))
    if case.hint:
        out.print(Text(f"    hint      {case.hint}", "yellow"))
    _print_stream(out, "stdout", case.stdout)
    _print_stream(out, "stderr", case.stderr)


def _print_stream(out: Console, name: str, text: str) -> None:
    lines = text.splitlines()
    for line in lines[:_SHOWN_LINES]:
        out.print(Text(f"    {name:9} {line}", "dim"))
    if len(lines) > _SHOWN_LINES:
        out.print(Text(f"    {name:9} … {len(lines) - _SHOWN_LINES} lines more", "dim"))


def _summary(summary: Any) -> str:
    """One line of a summary: its preview and what kind of value it is of."""
    if not isinstance(summary, dict):
        return json.dumps(summary, ensure_ascii=False)
    parts = [str(summary.get("preview", ""))]
    about = [
        str(summary[key]) for key in ("type", "dtype", "shape") if summary.get(key) is not None
    ]
    if about:
        parts.append(f"({', '.join(about)})")
    return " ".join(part for part in parts if part)


def _first_line(message: str) -> str:
    return message.splitlines()[0] if message else ""


def _style(verdict: Verdict) -> str:
    return _STYLES.get(verdict, _FAILED_STYLE)


def print_problem(
    out: Console, problem: Problem, language: str | None = None, hints: int = 0
) -> None:
    """Print what a learner may see of a problem; never the reference, tests or hidden cases.

    Args:
        language: of the texts; the main one where it is None, or has no such text.
        hints: how many to show.
    """
    from rich.markdown import Markdown

    texts = problem.translations.get(language or "", {})
    out.print(Text(texts.get("title", problem.title), "bold"))
    about = (problem.slug, problem.difficulty, problem.category, ", ".join(problem.tags))
    out.print(Text(" · ".join(part for part in about if part), "dim"))
    statement = texts.get("description_md", problem.description_md)
    out.print(Markdown(statement) if out.is_terminal else Text(statement))
    out.print(
        Text(
            f"\nlimits: {problem.time_limit_s:g} s of CPU time a case, "
            f"{problem.memory_limit_mb} MiB; tolerance: atol {problem.atol:g}, "
            f"rtol {problem.rtol:g}"
        )
    )
    banned = (
        *problem.forbidden_modules,
        *(f"{name}()" for name in problem.forbidden_calls),
        *problem.forbidden_apis,
    )
    if banned:
        out.print(Text(f"not allowed: {', '.join(banned)}"))
    shown = [case for case in problem.cases if not case.hidden]
    out.print(Text(f"\n{len(problem.cases)} cases, {len(shown)} of them shown:", "bold"))
    for case in shown:
        given = ", ".join(f"{name}={value}" for name, value in case.raw_inputs.items())
        out.print(Text(f"  {case.name}: {given}"))
    out.print(Text("\nstart from:", "bold"))
    out.print(Text(problem.starter_code))
    every = texts.get("hints", problem.hints)
    for number, hint in enumerate(every[:hints], 1):
        out.print(Text(f"hint {number} of {len(every)}: {hint}", "yellow"))
