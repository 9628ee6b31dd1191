"""Prints what the gate found: a line a problem, then a section for each that has findings."""

from __future__ import annotations

import json

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.authoring.findings import Inspection, Level

_STYLES = {Level.ERROR: "red", Level.WARNING: "yellow"}


def print_inspections(out: Console, inspections: list[Inspection]) -> None:
    """Print the table, the findings and the sum."""
    out.print(_table(inspections))
    for inspection in inspections:
        if inspection.findings or inspection.suggestions:
            _print_section(out, inspection)
    out.print(Text(f"\n{summary(inspections)}", "bold"))


def summary(inspections: list[Inspection]) -> str:
    """One sentence about all problems."""
    mutants = sum(each.mutants for each in inspections)
    killed = sum(each.killed for each in inspections)
    failing = [each.slug for each in inspections if not each.passes]
    score = f", {killed} of {mutants} mutants killed ({killed / mutants:.1%})" if mutants else ""
    noun = "problem" if len(inspections) == 1 else "problems"
    told = f"{len(inspections)} {noun} checked, {len(failing)} failing{score}"
    return told + (f": {', '.join(failing)}" if failing else "")


def _table(inspections: list[Inspection]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("problem", overflow="fold")
    for name in ("cases", "drawn", "right", "wrong", "mutants", "killed", "same", "score"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in inspections:
        score = "" if each.score is None else f"{each.score:.1%}"
        warnings = sum(finding.level is Level.WARNING for finding in each.findings)
        verdict = Text("passes", "green") if each.passes else Text("FAILS", "bold red")
        if each.passes and warnings:
            verdict = Text(f"passes, {warnings} to look at", "yellow")
        if each.cached:
            verdict.append(" (unchanged)", "dim")
        numbers = (each.declared + each.drawn, each.drawn, each.accepted, each.wrong)
        counts = (each.mutants, each.killed, each.equivalent)
        table.add_row(each.slug, *map(str, (*numbers, *counts)), score, verdict)
    return table


def _print_section(out: Console, inspection: Inspection) -> None:
    out.print(Text(f"\n{inspection.slug}", "bold"))
    for finding in inspection.findings:
        line = Text(f"  {finding.level:8} ", _STYLES[finding.level])
        line.append(f"{finding.check:12} ", "dim")
        line.append(f"{finding.where}: ", "")
        line.append(finding.message)
        out.print(line)
    for case in inspection.suggestions:
        out.print(Text(f"  {case['input_desc']}", "cyan"))
        out.print(Text(json.dumps(case, ensure_ascii=False, indent=2)))
