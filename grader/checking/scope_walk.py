"""The walk that finds the scopes of a syntax tree and what each name's binding is worth.

It keeps its own stack, so that no depth of nesting overflows it. The stack holds, last first,
nodes to visit, uses whose children are done, and actions such as closing a block.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from grader.checking.scopes import Kind, Scope, ScopeTable, Use

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def walk_scopes(tree: ast.Module, wanted: Iterable[type[ast.AST]]) -> ScopeTable:
    """Return the scopes of a tree and the uses of the wanted node types."""
    walk = _Walk(wanted)
    walk.run(tree)
    for scope in walk.scopes:
        scope.certain = {name: _merged(spans) for name, spans in scope.certain.items()}
    return ScopeTable(walk.module, walk.uses, walk.top_bindings, walk.top_calls)


class _Walk:
    """State of one walk; running numbers, open blocks, and what was found."""

    def __init__(self, wanted: Iterable[type[ast.AST]]) -> None:
        self.uses: list[Use] = []
        self.module = Scope("module")
        self.scopes = [self.module]
        self._wanted = frozenset(wanted)
        self._moment = 0
        self._top = 0
        self._functions_around = 0
        self._blocks: list[list[tuple[Scope, str, int]]] = []  # certain names, and since when
        self.top_bindings: dict[str, list[int]] = {}  # top-level statements that bind a name
        self.top_calls: list[tuple[int, str | None]] = []  # top-level statement, name called
        # Still to do, last first: a node to visit, a use whose children are done, an action.
        self._stack: list[tuple[ast.AST, Scope] | Use | Callable[[], None]] = []

    def run(self, tree: ast.Module) -> None:
        self._blocks.append([])
        self._stack.append(self._close_block)
        for top in reversed(range(len(tree.body))):
            self._stack += [(tree.body[top], self.module), partial(self._enter_top, top)]
        while self._stack:
            match self._stack.pop():
                case (node, scope):
                    self._visit(node, scope)
                case Use() as use:
                    self.uses.append(use)
                case action:
                    action()

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        """Note what a node binds and put what it holds on the stack."""
        self._moment += 1
        kind = type(node)
        if kind in self._wanted:
            deferred = self._functions_around > 0
            use = Use(node, scope, self._moment, self._top, deferred)
            self._stack.append(use)
        match node:
            case ast.Name(id=name):
                self._visit_name(node, scope, name)
            case ast.Constant():
                pass
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._visit_function(node, scope)
            case ast.ClassDef():
                self._visit_class(node, scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._visit_comprehension(node, scope)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                home = self.module if isinstance(node, ast.Global) else _function_around(scope)
                scope.declared |= dict.fromkeys(names, home)
            case ast.NamedExpr(target=ast.Name(id=name)):
                outer = scope
                while outer.kind == "comprehension" and outer.parent:
                    outer = outer.parent
                outer.owner(name).bound.add(name)
                self._push(scope, node.value)
            case _:
                self._visit_other(node, scope)

    def _visit_name(self, node: ast.Name, scope: Scope, name: str) -> None:
        if not isinstance(node.ctx, ast.Load):
            owner = scope.owner(name)
            owner.bound.add(name)
            if isinstance(node.ctx, ast.Del):
                owner.deleted.add(name)

    def _visit_other(self, node: ast.AST, scope: Scope) -> None:
        """Visit a node that opens no scope: its own bindings, then its fields in order."""
        body_names: Iterable[str] = ()
        match node:
            case ast.Call(func=callee) if not self._functions_around:
                self.top_calls.append((self._top, _root(callee)))
            case ast.Assign(targets=targets):
                self._bind_after(scope, (n for target in targets for n in _stored(target)))
            case ast.AnnAssign(target=target):
                if not node.value:  # binds nothing, though it makes a name local in a function
                    if scope.is_function:
                        scope.bound.update(_stored(target))
                    self._push(scope, node.annotation)
                    return
                self._bind_after(scope, _stored(target))
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names = [a.asname or a.name.partition(".")[0] for a in aliases]
                for name in names:
                    scope.owner(name).bound.add(name)
                    scope.owner(name).imported.add(name)
                self._bind_after(scope, names)
            case ast.For(target=target) | ast.AsyncFor(target=target):
                body_names = _stored(target)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                body_names = (n for item in items for n in _stored(item.optional_vars))
            case ast.match_case(pattern=pattern):
                body_names = [*_captured(pattern)]
                for name in body_names:
                    scope.owner(name).bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                scope.owner(name).bound.add(name)
                scope.owner(name).deleted.add(name)
        self._push_fields(node, scope, [*body_names])

    def _push_fields(self, node: ast.AST, scope: Scope, body_names: list[str]) -> None:
        for name in reversed(node._fields):
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                if not isinstance(value, (ast.expr_context, ast.operator)):
                    self._stack.append((value, scope))
            elif isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    self._push_block(scope, value, body_names if name == "body" else [])
                else:
                    self._push(scope, *value)

    def _visit_function(self, node: FunctionNode, scope: Scope) -> None:
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
        outer = scope
        if not isinstance(node, ast.Lambda):
            outer = self._visit_definition(node, scope)
        inner = self._scope("function", outer)
        inner.bound.update(argument.arg for argument in every)
        self._stack.append(partial(self._count_functions, -1))
        if isinstance(node, ast.Lambda):
            self._push(inner, node.body)
        else:
            # A function runs once it is bound, unless a decorator called it before.
            itself = [] if node.decorator_list else [node.name]
            self._push_block(inner, node.body, itself, scope)
        self._stack.append(partial(self._count_functions, +1))
        self._push(outer, *(argument.annotation for argument in every))
        if not isinstance(node, ast.Lambda):
            self._push(outer, node.returns)
        self._push(scope, *arguments.defaults, *arguments.kw_defaults)

    def _visit_class(self, node: ast.ClassDef, scope: Scope) -> None:
        outer = self._visit_definition(node, scope)
        self._push_block(self._scope("class", outer), node.body, [])
        self._push(outer, *node.bases, *node.keywords)

    def _visit_definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: Scope
    ) -> Scope:
        """Bind the name once all is done, see the decorators; return the scope around it."""
        scope.owner(node.name).bound.add(node.name)
        self._bind_after(scope, [node.name])
        self._push(scope, *node.decorator_list)
        if not self._functions_around:
            self.top_calls += [(self._top, _root(decorator)) for decorator in node.decorator_list]
        parameters = getattr(node, "type_params", [])  # from Python 3.12 on
        if not parameters:
            return scope
        outer = self._scope("function", scope)
        outer.bound.update(parameter.name for parameter in parameters)
        self._push(outer, *parameters)
        return outer

    def _visit_comprehension(self, node: Comprehension, scope: Scope) -> None:
        inner = self._scope("comprehension", scope)
        values = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        self._push(inner, *values)
        for place, part in reversed([*enumerate(node.generators)]):
            self._push(inner, part.target, *part.ifs)
            self._push(inner if place else scope, part.iter)

    # -- the stack -------------------------------------------------------------------------

    def _push(self, scope: Scope, *nodes: ast.AST | None) -> None:
        self._stack += [(node, scope) for node in reversed(nodes) if isinstance(node, ast.AST)]

    def _push_block(
        self, scope: Scope, body: list[ast.stmt], names: list[str], names_of: Scope | None = None
    ) -> None:
        """Put a block on the stack; `names` are certain throughout, in `names_of` or `scope`."""
        self._stack.append(self._close_block)
        self._push(scope, *body)
        self._stack.append(partial(self._open_block, names_of or scope, names))

    def _open_block(self, scope: Scope, names: list[str]) -> None:
        self._blocks.append([])
        self._bind(scope, names)

    def _close_block(self) -> None:
        for scope, name, since in self._blocks.pop():
            scope.certain.setdefault(name, []).append((since, self._moment))

    def _bind_after(self, scope: Scope, names: Iterable[str]) -> None:
        self._stack.append(partial(self._bind, scope, [*names]))

    def _bind(self, scope: Scope, names: list[str]) -> None:
        """Let names be certain from here to the end of the block."""
        for name in names:
            owner = scope.owner(name)
            if not owner.is_function:
                self._blocks[-1].append((owner, name, self._moment))
            if len(self._blocks) == 1:
                self.top_bindings.setdefault(name, []).append(self._top)

    def _enter_top(self, top: int) -> None:
        self._top = top

    def _count_functions(self, step: int) -> None:
        self._functions_around += step

    def _scope(self, kind: Kind, parent: Scope) -> Scope:
        self.scopes.append(Scope(kind, parent))
        return self.scopes[-1]


def _function_around(scope: Scope) -> Scope:
    """Return the nearest function outside a scope; the scope itself where there is none."""
    outer = scope.parent
    while outer is not None and outer.kind != "function":
        outer = outer.parent
    return outer or scope


def _stored(target: ast.AST | None) -> Iterator[str]:
    """Yield the plain names that an assignment target binds."""
    todo = [target]
    while todo:
        match todo.pop():
            case ast.Name(id=name):
                yield name
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                todo += parts
            case ast.Starred(value=part):
                todo.append(part)


def _captured(pattern: ast.pattern) -> Iterator[str]:
    """Yield the names that a `case` pattern binds."""
    for node in ast.walk(pattern):
        match node:
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name


def _root(callee: ast.AST) -> str | None:
    """Return the name at the root of `a.b.c`, None where there is none."""
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    return callee.id if isinstance(callee, ast.Name) else None


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the union of intervals, sorted and disjoint."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
