"""Find what a problem forbids in a submission's syntax tree, before any of it runs.

Advice, early and kind: the sandbox is the security and holds without it. So a doubt is decided
for the learner, and only what surely means the forbidden thing is named.

Every expression that may stand for a library or builtin object has an *origin*, its dotted name
(`np.linalg` is `numpy.linalg`), which imports, assignments, attributes, subscripts of a module's
dictionary, `getattr` and the import functions hand on. A violation is reported where a forbidden
origin first appears, not at each later use of it; the C twin of a module (`posix` for `os`) where
it is called, since a program that merely names it does nothing the problem forbids.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from grader.checking.apis import own_members
from grader.checking.constant_text import FOLDABLE, fold_text
from grader.checking.origins import Forbidden
from grader.checking.scope_walk import walk_scopes
from grader.checking.scopes import Scope, Use

MAX_VIOLATIONS = 100  # a report stays readable; the first ones are the useful ones
_MAX_ORIGINS = 16  # of one name; more is a puzzle, not a program
_MAX_ROUNDS = 4  # of following assignments; source order settles nearly all in one

_IMPORTERS = {"importlib.import_module", "importlib.__import__", "builtins.__import__"}
_IMPORTERS |= {"pkgutil.resolve_name"}
_GETTERS = {"get", "__getitem__", "__getattribute__", "pop", "setdefault"}
_NAMESPACES = {"builtins.globals", "builtins.locals", "builtins.vars"}
_NOTHING: frozenset[str] = frozenset()
_WANTED = (
    *(ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.IfExp, ast.BoolOp, ast.NamedExpr),
    *(ast.Constant, ast.BinOp, ast.JoinedStr, ast.FormattedValue),
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign),
)


@dataclass(frozen=True)
class Violation:
    """One forbidden thing: where it is, and a sentence that helps.

    Attributes:
        rule: `forbidden-module`, `forbidden-call` or `forbidden-api`.
        line: 1-based.
        column: 1-based; in characters where the text was given, else in UTF-8 bytes.
    """

    rule: str
    line: int
    column: int
    message: str


def check_tree(
    tree: ast.Module,
    forbidden_modules: Collection[str],
    forbidden_calls: Collection[str],
    text: str = "",
    forbidden_apis: Collection[str] = (),
) -> list[Violation]:
    """Return what is forbidden, by position, each once, at most `MAX_VIOLATIONS`.

    Args:
        tree: of any depth; it is not changed.
        forbidden_modules: names of modules; its submodules and calls of its C twin go with it.
        forbidden_calls: names of builtins; to name one is a violation, called or not.
        text: the source of the tree, so that columns count characters.
        forbidden_apis: dotted names of library functions, or `torch.fft.*`.

    Example:
        >>> [v.rule for v in check_tree(ast.parse("import os as o"), ["os"], [])]
        ['forbidden-module']
    """
    forbidden = Forbidden(forbidden_modules, forbidden_calls, forbidden_apis)
    if text and not forbidden.spelled_in(text):
        return []
    found = _Check(tree, forbidden).found
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    violations = []
    for line, offset, rule, message in sorted(found)[:MAX_VIOLATIONS]:
        column = offset + 1
        if text and line <= len(lines):
            before = lines[line - 1].encode("utf-8", "surrogatepass")[:offset]
            column = len(before.decode("utf-8", "ignore")) + 1
        violations.append(Violation(rule, line, column, message))
    return violations


class _Check:
    """Origins handed through a tree, again and again until no name gains any."""

    def __init__(self, tree: ast.Module, forbidden: Forbidden) -> None:
        self.found: set[tuple[int, int, str, str]] = set()  # line, byte offset, rule, message
        self._forbidden = forbidden
        self._scopes = walk_scopes(tree, _WANTED)
        self._origins: dict[int, frozenset[str]] = {}  # by id; the tree keeps its nodes alive
        self._texts: dict[int, str] = {}
        self._aliases: dict[tuple[Scope, str], set[str]] = {}
        self._asked: set[tuple[Scope, str]] = set()  # names looked up so far
        # A class of the submission may well have a method of any name.
        self._own_members = own_members(tree) if forbidden.apis else frozenset()
        self._outdated = True  # a name was looked up before it had all its origins
        for _ in range(_MAX_ROUNDS):
            if not self._outdated:
                break
            self._outdated = False
            for use in self._scopes.uses:
                self._look_at(use)

    def _look_at(self, use: Use) -> None:
        """Give a node its text or origins; its parts have theirs."""
        node = use.node
        origins: Iterable[str] = _NOTHING
        match node:
            case ast.Name():
                origins = self._name(use, node)
            case ast.Attribute(value=value, attr=name):
                origins = self._member(node, value, name)
            case ast.Call():
                origins = self._call(node)
            case ast.Subscript(value=value, slice=key) if id(key) in self._texts:
                origins = self._member(node, value, self._texts[id(key)])
            case ast.IfExp(body=first, orelse=second):
                origins = self._of(first) | self._of(second)
            case ast.BoolOp(values=values):
                origins = _NOTHING.union(*(self._of(value) for value in values))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                origins = self._of(value)
                self._alias(use.scope, name, self._of(value))
            case ast.Import() | ast.ImportFrom():
                self._import(use.scope, node)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(use.scope, target, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._alias(use.scope, name, self._of(value))
            case ast.AugAssign(target=ast.Name() as target):  # it reads the name as well
                self._name(use, target)
        if origins:
            self._origins[id(node)] = frozenset(sorted(origins)[:_MAX_ORIGINS])
        elif isinstance(node, FOLDABLE) and (text := fold_text(node, self._texts)) is not None:
            self._texts[id(node)] = text

    def _of(self, node: ast.AST) -> frozenset[str]:
        return self._origins.get(id(node), _NOTHING)

    # -- where origins come from -----------------------------------------------------------

    def _name(self, use: Use, node: ast.Name) -> set[str]:
        if not isinstance(node.ctx, ast.Load) and not isinstance(use.node, ast.AugAssign):
            return set()
        origins: set[str] = set()
        for scope in use.scope.suppliers(node.id):
            self._asked.add((scope, node.id))
            origins |= self._aliases.get((scope, node.id), _NOTHING)
        if not self._scopes.is_own(use, node.id):
            name = node.id
            builtin = "builtins" if name == "__builtins__" else f"builtins.{name}"
            origins.add(builtin)
            self._report(node, builtin, name)
        return origins

    def _member(self, node: ast.AST, value: ast.AST, name: str) -> set[str]:
        """Return the origins of an attribute, or of a subscript of a module's dictionary."""
        origins = set()
        for base in self._of(value):
            if origin := self._forbidden.step(base, name):
                origins.add(origin)
                if not self._forbidden.module_of(base):  # else it was reported there
                    self._report(node, origin, f"{base}.{name}")
            elif ban := self._forbidden.apis.ban_of(f"{base}.{name}"):  # `torch.Tensor.softmax`
                self._note(node, "forbidden-api", about_api(ban, f"{base}.{name}"))
        return origins

    def _call(self, node: ast.Call) -> set[str]:
        callees = self._of(node.func)
        if isinstance(node.func, ast.Attribute) and not callees and not self._of(node.func.value):
            self._method(node.func)
        texts = [self._texts.get(id(argument)) for argument in node.args[:2]]
        key = texts[0] if texts else None
        if isinstance(node.func, ast.Attribute) and node.func.attr in _GETTERS and key:
            return self._member(node, node.func.value, key)
        for callee in callees:
            if twin := self._forbidden.twin_of(callee):
                self._note(node, "forbidden-module", _about_twin(twin, callee))
        if "builtins.getattr" in callees and len(texts) == 2 and texts[1] is not None:
            return self._member(node, node.args[0], texts[1])
        if callees & _NAMESPACES:
            is_vars = "builtins.vars" in callees and node.args
            return set(self._of(node.args[0])) if is_vars else {"globals()"}
        if callees & _IMPORTERS or any(c.endswith("__.loader.load_module") for c in callees):
            named = [word.value for word in node.keywords if word.arg in ("name", "fullname")]
            texts += [self._texts.get(id(value)) for value in named]
            if texts and texts[0]:
                module = texts[0].replace(":", ".")  # `resolve_name("os:system")`
                self._report(node, module, module)
                is_top = "builtins.__import__" in callees
                return {module.partition(".")[0] if is_top else module}
        return set()

    def _method(self, called: ast.Attribute) -> None:
        """Note a method that only a banned operation has, called on who knows what."""
        ban = self._forbidden.apis.ban_of_method(called.attr)
        if ban and called.attr not in self._own_members:
            self._note(called, "forbidden-api", about_api(ban, f".{called.attr}()"))

    def _import(self, scope: Scope, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            if isinstance(node, ast.ImportFrom):
                if node.level:  # from within the submission; it is no package and will fail
                    continue
                base = self._canonical(node.module or "")
                origin = self._forbidden.step(base, alias.name)
                shown = f"{node.module}.{alias.name}"
                if self._forbidden.module_of(base):
                    origin, shown = f"{base}.{alias.name}", node.module or ""
            else:
                origin, shown = self._canonical(alias.name), alias.name
            if origin:
                self._report(alias, origin, shown)
                known = top if isinstance(node, ast.Import) and not alias.asname else origin
                self._alias(scope, alias.asname or top, {known})

    def _canonical(self, dotted: str) -> str:
        """Return the origin of an imported module: `torch.multiprocessing` is such a one."""
        first, *rest = dotted.split(".")
        origin = first
        for name in rest[:_MAX_ORIGINS]:
            if self._forbidden.module_of(origin):
                break
            origin = self._forbidden.step(origin, name) or f"{origin}.{name}"
        return origin

    # -- where they go ---------------------------------------------------------------------

    def _assign(self, scope: Scope, target: ast.AST, value: ast.AST) -> None:
        match target, value:
            case ast.Name(id=name), _:
                self._alias(scope, name, self._of(value))
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                for one, its in zip(names, values, strict=True):
                    if isinstance(one, ast.Name):
                        self._alias(scope, one.id, self._of(its))

    def _alias(self, scope: Scope, name: str, origins: Collection[str]) -> None:
        while scope.kind == "comprehension" and scope.parent and name not in scope.bound:
            scope = scope.parent  # `:=` binds outside
        key = (scope.owner(name), name)
        known = self._aliases.setdefault(key, set())
        if not known.issuperset(origins) and len(known) < _MAX_ORIGINS:
            known.update(origins)
            self._outdated |= key in self._asked

    def _report(self, node: ast.AST, origin: str, shown: str) -> None:
        """Note a violation at `node` if `origin` is forbidden; `shown` is how it was reached."""
        if module := self._forbidden.module_of(origin):
            self._note(node, "forbidden-module", _about_module(module, shown))
        elif call := self._forbidden.call_of(origin):
            self._note(node, "forbidden-call", _about_call(call, origin, shown))
        elif ban := self._forbidden.apis.ban_of(origin):
            self._note(node, "forbidden-api", about_api(ban, shown))

    def _note(self, node: ast.AST, rule: str, message: str) -> None:
        line, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        self.found.add((line, offset, rule, message))


def _about_module(module: str, shown: str) -> str:
    if shown == module or shown.startswith(f"{module}."):
        return f"`{module}` may not be imported in this problem; solve it without that module"
    return f"`{shown}` is the module `{module}`, which may not be used in this problem"


def _about_twin(module: str, shown: str) -> str:
    return f"`{shown}` belongs to the C twin of `{module}`, which may not be used in this problem"


def about_api(ban: str, shown: str) -> str:
    """Say that a library function may not be used, however it was reached."""
    reason = "writing it yourself is the exercise"
    if shown == ban:
        return f"`{ban}` may not be used in this problem; {reason}"
    return f"`{shown}` is covered by the ban on `{ban}` in this problem; {reason}"


def _about_call(call: str, origin: str, shown: str) -> str:
    if origin == f"builtins.{call}" and shown == call:
        return (
            f"`{call}` may not be used in this problem, called or not; "
            "if you mean a name of your own, bind it before this line"
        )
    return f"`{shown}` is `{call}`, which may not be used in this problem"
