"""All that is wrong with a spec document, found without running any of its code."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grader.errors import Finding
from grader.source import InvalidSource, compile_source, parse_source
from grader.specs.executed_cases import executed_cases
from grader.specs.json_positions import JsonFault, LocatedJson, json_path, read_json
from grader.specs.problem_schema import did_you_mean, schema_complaints

# JSON path of the fault and its message.
Fault = tuple[str, str]

_CODE_FIELDS = ("starter_code", "reference_code", "setup_code", "probe_code", "test_code")
_LIBRARIES = {"torch", "np", "math"}  # what `raw_inputs` may use without importing it


def document_faults(file: str, text: str) -> tuple[dict[str, Any], list[Finding]]:
    """Return the document and its faults, by position; the document holds only if there is none.

    Args:
        file: path as the findings shall name it.
        text: what the file holds.
    """
    try:
        located = read_json(text.removeprefix("\ufeff"))
    except JsonFault as fault:
        return {}, [Finding(file, fault.line, fault.column, "$", f"not JSON: {fault.message}")]
    found = {
        _finding(file, located, path, message, at_key)
        for path, message, at_key in schema_complaints(located.value)
    }
    if not isinstance(located.value, dict):
        return {}, sorted(found)
    # The other checks expect what the schema promises, so each looks at sound parts alone.
    unsound = {finding.path for finding in found}
    document = _Document(Path(file), located.value, unsound)
    for check in _CHECKS:
        found |= {_finding(file, located, path, message) for path, message in check(document)}
    return located.value, sorted(found)


def _finding(
    file: str, located: LocatedJson, path: str, message: str, at_key: bool = False
) -> Finding:
    places = located.keys if at_key else located.values
    line, column = places.get(path, (0, 0))
    return Finding(file, line, column, path, message)


class _Document:
    """A spec whose parts are handed out only where the schema had nothing to say."""

    def __init__(self, path: Path, raw: dict[str, Any], unsound: set[str]) -> None:
        self.path = path
        self._raw = raw
        self._unsound = unsound
        self.trees: dict[str, ast.Module] = {}  # filled by `_code_that_does_not_compile`

    def text(self, name: str) -> str | None:
        """Return a text field, None where it is absent or unsound."""
        value = self._raw.get(name)
        return value if isinstance(value, str) and f"$.{name}" not in self._unsound else None

    def code(self) -> Iterator[Fault]:
        """Yield path and text of every code field."""
        for name in _CODE_FIELDS:
            if (text := self.text(name)) is not None:
                yield f"$.{name}", text
        generated = self._raw.get("generated_cases")
        if isinstance(generated, dict) and isinstance(generated.get("code"), str):
            yield "$.generated_cases.code", generated["code"]

    def cases(self) -> list[tuple[str, dict[str, Any]]]:
        """Return path and content of every case whose outline is sound."""
        cases = self._raw.get("test_cases")
        if not isinstance(cases, list):
            return []
        return [
            (json_path(["test_cases", index]), case)
            for index, case in enumerate(cases)
            if isinstance(case, dict)
            and isinstance(case.get("name"), str)
            and isinstance(case.get("raw_inputs"), dict)
            and all(isinstance(text, str) for text in case["raw_inputs"].values())
        ]

    def drawn_count(self) -> int:
        """Return how many cases are generated, 0 where that is unsound."""
        generated = self._raw.get("generated_cases")
        count = generated.get("count") if isinstance(generated, dict) else 0
        if "$.generated_cases.count" in self._unsound or not isinstance(count, int):
            return 0
        return count

    def has_all_cases(self) -> bool:
        """Tell whether `cases` leaves none out."""
        cases = self._raw.get("test_cases")
        return isinstance(cases, list) and len(cases) == len(self.cases())


def _code_that_does_not_compile(document: _Document) -> Iterator[Fault]:
    for path, text in document.code():
        try:
            document.trees[path] = parse_source(text)
            compile_source(document.trees[path])
        except InvalidSource as fault:
            where = f"line {fault.line} of the field: " if fault.line else ""
            yield path, f"{where}{fault.message}"


def _missing_entry_points(document: _Document) -> Iterator[Fault]:
    name = document.text("entry_point")
    wanted = [("$.starter_code", name), ("$.reference_code", name)]
    wanted += [("$.probe_code", "probe"), ("$.generated_cases.code", "generate")]
    for path, wanted_name in wanted:
        if wanted_name and (tree := document.trees.get(path)):
            names = _top_level_names(tree)
            if wanted_name not in names:
                hint = did_you_mean(wanted_name, sorted(names))
                yield path, f'"{wanted_name}" is not defined at top level{hint}'


def _doubled_names(document: _Document) -> Iterator[Fault]:
    first = {f"generated {n}": "a generated case" for n in range(document.drawn_count())}
    for path, case in document.cases():
        if case["name"] in first:
            yield f"{path}.name", f'the name "{case["name"]}" is taken by {first[case["name"]]}'
        first.setdefault(case["name"], path)


def _what_test_code_does_itself(document: _Document) -> Iterator[Fault]:
    if document.text("test_code") is None:
        return
    if document.text("probe_code") is not None:
        yield "$.probe_code", "test_code runs the cases by itself; leave one of the two out"
    if document.drawn_count():
        yield "$.generated_cases", "test_code runs the cases by itself; leave one of the two out"


def _broken_inputs(document: _Document) -> Iterator[Fault]:
    for path, case in document.cases():
        for name, text in case["raw_inputs"].items():
            where = path + json_path(["raw_inputs", name])[1:]
            try:
                body = parse_source(text.strip()).body
            except InvalidSource as fault:
                yield where, f"not a Python expression: {fault.message}"
                continue
            if len(body) != 1 or not isinstance(body[0], ast.Expr):
                yield where, "one Python expression expected"


def _inputs_that_do_not_fit(document: _Document) -> Iterator[Fault]:
    """Compare the names of inputs with the parameters they go to, where those are plain."""
    name, path, bound = document.text("entry_point"), "$.reference_code", 0
    if "$.probe_code" in document.trees:
        name, path, bound = "probe", "$.probe_code", 1  # its first one is the object
    tree = document.trees.get(path)
    function = _plain_function(tree, name) if tree and name else None
    if function is None:
        return
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args][bound:]
    optional = positional[max(0, len(positional) - len(arguments.defaults)) :]
    required = [a.arg for a in positional[: len(positional) - len(optional)]]
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    required += [a.arg for a, default in pairs if default is None]
    known = [a.arg for a in [*positional, *arguments.kwonlyargs]]
    for case_path, case in document.cases():
        where, given = f"{case_path}.raw_inputs", case["raw_inputs"]
        if not arguments.kwarg:
            for unknown in [each for each in given if each not in known and each.isidentifier()]:
                hint = did_you_mean(unknown, known)
                place = where + json_path([unknown])[1:]
                yield place, f'{name} has no parameter "{unknown}"{hint}'
        # A case may well expect the error that a missing argument raises.
        if not case.get("expect_error"):
            for missing in [each for each in required if each not in given]:
                yield where, f'{name} needs "{missing}", which is missing'


def _unknown_errors(document: _Document) -> Iterator[Fault]:
    names = set(_LIBRARIES) | {
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    }
    for field in ("$.reference_code", "$.setup_code"):
        if tree := document.trees.get(field):
            names |= _top_level_names(tree)
    if "$.reference_code" not in document.trees:
        return  # it may define any
    for path, case in document.cases():
        error = case.get("expect_error")
        wanted = error.get("type") if isinstance(error, dict) else None
        if isinstance(wanted, str) and wanted.partition(".")[0] not in names:
            hint = did_you_mean(wanted, sorted(names))
            message = f'"{wanted}" is neither a builtin exception nor defined in reference_code'
            yield f"{path}.expect_error.type", f"{message} or setup_code{hint}"


def _file_that_is_not_the_slug(document: _Document) -> Iterator[Fault]:
    slug = document.text("slug")
    if slug and document.path.resolve().parent.name == "problems":
        expected = f"{slug}.json"
        if document.path.name != expected:
            yield "$.slug", f"the file {expected} expected, got {document.path.name}"


def _cases_that_differ(document: _Document) -> Iterator[Fault]:
    """Compare declared cases with those the test code runs, as far as reading tells."""
    test_code = document.text("test_code")
    if test_code is None or not document.has_all_cases():
        return
    executed = executed_cases(test_code)
    if executed is None:
        return
    declared = [case["name"] for _, case in document.cases()]
    known = [name for name in executed if name is not None]
    complaints: list[str] = []
    if len(known) == len(executed):
        more, fewer = Counter(known) - Counter(declared), Counter(declared) - Counter(known)
        complaints += [f'"{name}" is executed but not declared' for name in more]
        complaints += [f'"{name}" is declared but not executed' for name in fewer]
    if complaints or len(executed) != len(declared):
        ran, told = _count(len(executed), "executed"), _count(len(declared), "declared", "")
        yield "$.test_cases", ": ".join([f"{ran}, {told}", *filter(None, ["; ".join(complaints)])])


def _count(number: int, what: str, noun: str = " case") -> str:
    plural = "s" if noun and number != 1 else ""
    return f"{number}{noun}{plural} {'is' if number == 1 else 'are'} {what}"


_CHECKS: tuple[Callable[[_Document], Iterator[Fault]], ...] = (
    _code_that_does_not_compile,
    _missing_entry_points,
    _doubled_names,
    _what_test_code_does_itself,
    _broken_inputs,
    _inputs_that_do_not_fit,
    _unknown_errors,
    _file_that_is_not_the_slug,
    _cases_that_differ,
)


def _top_level_names(tree: ast.Module) -> set[str]:
    """Return what a module's own statements bind, those in branches included."""
    names: set[str] = set()
    todo: list[ast.AST] = list(tree.body)
    while todo:
        match todo.pop():
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name.partition(".")[0] for alias in aliases}
            case ast.AnnAssign(value=None) | ast.Lambda():
                pass
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                pass
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case node:
                todo += ast.iter_child_nodes(node)
    return names


def _plain_function(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """Return the undecorated `def` that `name` ends up as, None if it is anything else."""
    last: ast.stmt | None = None
    for statement in tree.body:
        if name in _top_level_names(ast.Module([statement], [])):
            last = statement
    plain = isinstance(last, ast.FunctionDef) and last.name == name and not last.decorator_list
    if not isinstance(last, ast.FunctionDef) or not plain or last.args.vararg:
        return None
    return last
