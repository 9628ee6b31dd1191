"""Mutants of a reference: each differs from it in one place, as if by mistake."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from grader.authoring.mutators import MUTATORS

# What the library's mutators would do to names and texts only crashes, which every case sees.
_LIBRARY = ("BinOp", "AugAssign", "UnaryOp", "Compare", "Keyword", "Number", "FuncCall", "Return")
# What binds tightly as it is, and a slice, which may not stand in brackets.
_UNBRACKETED = (ast.Name, ast.Constant, ast.Call, ast.Slice)
_MOST = 400  # of one problem; more would only repeat what these show


@dataclass(frozen=True)
class Mutant:
    """One mutant.

    Attributes:
        kind: what was done, in words.
        line: 1-based line of the reference that changed.
        before: that line, and
        after: what it became, without indentation; further lines joined by a space.
        source: the whole mutated reference.
    """

    kind: str
    line: int
    before: str
    after: str
    source: str


@dataclass(frozen=True)
class _Edit:
    kind: str
    begin: tuple[int, int]  # line and byte
    end: tuple[int, int]
    text: str


def mutants_of(reference: str) -> list[Mutant]:
    """Return the mutants of a reference, each source once, in the order of their lines.

    What cannot be told apart is left out: text of no effect (docstrings, annotations) is not
    mutated, and neither is what compiles to the same code.
    """
    tree = ast.parse(reference)
    silent = _silent_spans(tree)
    found: dict[str, Mutant] = {}
    seen = {_shape(reference)}
    for edit in sorted(_edits(reference, tree), key=lambda e: (e.begin, e.end, e.text)):
        if any(begin <= edit.begin < end for begin, end in silent):
            continue
        source = _applied(reference, edit)
        shape = _shape(source)
        if shape is None or shape in seen:
            continue
        seen.add(shape)
        found[source] = _mutant(reference, source, edit)
        if len(found) == _MOST:
            break
    return list(found.values())


def _edits(reference: str, tree: ast.Module) -> Iterator[_Edit]:
    yield from _library_edits(reference)
    for node in ast.walk(tree):
        for kind, mutator in MUTATORS.items():
            for mutation in mutator(node):
                part, changed = mutation if isinstance(mutation, tuple) else (node, mutation)
                begin, end = _place(part)
                yield _Edit(kind, begin, end, _written(changed, begin[1]))


def _library_edits(reference: str) -> Iterator[_Edit]:
    from poodle.mutate import builtin_mutators

    for name in _LIBRARY:
        mutator: Any = builtin_mutators[name](
            config=SimpleNamespace(mutator_opts={}), echo=lambda *_: None
        )
        mutator.mutants = []
        tree = ast.parse(reference)  # a copy: the mutators change it
        mutator.add_parent_attr(tree)
        if name == "FuncCall":  # calls within a call that is lost are lost with it
            mutator.visit(tree)
        else:  # node by node: left to itself a mutator looks at no operator within another
            for node in ast.walk(tree):
                getattr(mutator, f"visit_{type(node).__name__}", lambda _: None)(node)
        for made in mutator.mutants:
            begin, end = (made.lineno, made.col_offset), (made.end_lineno, made.end_col_offset)
            yield _Edit(name, begin, end, made.text)


def _place(node: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and past-the-last position of a node that has one: line and byte."""
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _written(node: ast.AST, indent: int) -> str:
    """Source of a node; an expression in brackets, so that it binds as one."""
    text = ast.unparse(ast.fix_missing_locations(node))
    if isinstance(node, ast.expr) and not isinstance(node, _UNBRACKETED):
        return f"({text})"
    return text.replace("\n", "\n" + " " * indent)


def _applied(reference: str, edit: _Edit) -> str:
    lines = reference.encode("utf-8").split(b"\n")
    (first, begin), (last, end) = edit.begin, edit.end
    before = b"\n".join([*lines[: first - 1], lines[first - 1][:begin]])
    after = b"\n".join([lines[last - 1][end:], *lines[last:]])
    return (before + edit.text.encode("utf-8") + after).decode("utf-8")


def _shape(source: str) -> str | None:
    """What a source compiles to, as text; None if it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # `None is 0`
            compile(source, "<mutant>", "exec")
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return None


def _silent_spans(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Places that no case looks at: docstrings, annotations, imports, texts of errors."""
    nodes: list[ast.AST | None] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                nodes.append(node)
            case ast.Raise(exc=ast.Call(args=message)):
                nodes += message  # where its text is promised, a case expects it
            case ast.FunctionDef(returns=returns):
                nodes.append(returns)
            case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation):
                nodes.append(annotation)
            case ast.Expr(value=ast.Constant()):
                nodes.append(node)
    return [_place(node) for node in nodes if node is not None]


def _mutant(reference: str, source: str, edit: _Edit) -> Mutant:
    old, new = reference.split("\n"), source.split("\n")
    first = edit.begin[0] - 1
    while old[first] == new[first]:
        first += 1
    same = 0  # lines at the end
    while same < min(len(old), len(new)) - first - 1 and old[-1 - same] == new[-1 - same]:
        same += 1
    before, after = old[first : len(old) - same], new[first : len(new) - same]
    return Mutant(edit.kind, first + 1, _joined(before), _joined(after), source)


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)
