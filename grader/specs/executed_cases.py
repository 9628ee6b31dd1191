"""Which cases a problem's `test_code` runs, as far as its text tells."""

from __future__ import annotations

import ast

from grader.source import InvalidSource, parse_source

_MAX_CUTS = 50  # of broken code; each costs a parse


def executed_cases(test_code: str) -> list[str | None] | None:
    """Return the names of the cases that a test code runs, None if its text does not tell.

    The seed's form is known: a literal list of tuples, name first, that a top-level `for` walks.
    A case whose name is no constant is None. Code that does not parse is read as far as it does.
    """
    tree = _parse_as_far_as_possible(test_code)
    walked = {"cases"}
    for statement in tree.body:
        if isinstance(statement, ast.For):
            walked |= {node.id for node in ast.walk(statement.iter) if isinstance(node, ast.Name)}
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() as rows)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.List() | ast.Tuple() as rows)
            ) if name in walked and _is_table(rows):
                return [_name_of(row) for row in rows.elts]
    return None


def _is_table(rows: ast.List | ast.Tuple) -> bool:
    return bool(rows.elts) and all(isinstance(row, (ast.Tuple, ast.List)) for row in rows.elts)


def _name_of(row: ast.expr) -> str | None:
    match row:
        case ast.Tuple(elts=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.List(elts=[ast.Constant(value=str(name)), *_]):
            return name
    return None


def _parse_as_far_as_possible(code: str) -> ast.Module:
    """Return the longest run of leading lines that parses, cutting where Python stumbles."""
    lines = code.splitlines(keepends=True)
    for _ in range(_MAX_CUTS):
        try:
            return parse_source("".join(lines))
        except InvalidSource as fault:
            # The line it names is broken, or the end of what is; so at least that one goes.
            lines = lines[: min(fault.line or 1, len(lines)) - 1]
    return ast.Module([], [])
