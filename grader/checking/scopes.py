"""Which scope a name of a syntax tree belongs to, and whether it is surely the author's own.

Python's scoping, with one question added. In a function a name that is bound anywhere is local
and never means the builtin. In a module or class a missing name falls back to the builtin, so
`if False: eval = None` binds nothing. There a name counts as the submission's own only where the
binding is certain to have run:

- in the rest of the block (at any depth) after a `def`, `class`, `import` or assignment,
- in the body of a `for`, `with` or `case` that binds it,
- in a function above a top-level binding, when nothing between may have called that function,
- and nowhere if the name is ever deleted in that scope, as `except ... as` does at its end.

Blocks are intervals of a running number, so that a question costs one binary search.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["module", "class", "function", "comprehension"]


@dataclass(eq=False, slots=True)
class Scope:
    """A module, class body, function or comprehension, and the names bound in it."""

    kind: Kind
    parent: Scope | None = None
    bound: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    declared: dict[str, Scope] = field(default_factory=dict)  # by `global` and `nonlocal`
    certain: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    _suppliers: dict[str, tuple[Scope, ...]] = field(default_factory=dict)

    @property
    def is_function(self) -> bool:
        """Whether a name bound here never falls back to a builtin."""
        return self.kind in ("function", "comprehension")

    def owner(self, name: str) -> Scope:
        """Return the scope that a binding of `name` made here lands in."""
        return self.declared.get(name, self)

    def suppliers(self, name: str) -> tuple[Scope, ...]:
        """Return the scopes that may supply `name`, nearest first, up to the first function."""
        if name not in self._suppliers:
            found: list[Scope] = []
            scope: Scope | None = self.owner(name)
            while scope is not None:
                # A class body is visible to its own statements alone, not to its methods.
                if name in scope.bound and (scope.kind != "class" or scope is self):
                    found.append(scope)
                    if scope.is_function:
                        break
                scope = scope.parent
            self._suppliers[name] = tuple(found)
        return self._suppliers[name]


@dataclass(frozen=True, slots=True)
class Use:
    """A node to look at: where it is, and when it runs.

    Attributes:
        moment: its running number, in source order.
        top: index of the top-level statement that holds it.
        deferred: it runs only when a function is called.
    """

    node: ast.AST
    scope: Scope
    moment: int
    top: int
    deferred: bool


class ScopeTable:
    """The scopes of a module and the uses found in it; answers whose a name is."""

    def __init__(
        self,
        module: Scope,
        uses: list[Use],
        top_bindings: dict[str, list[int]],
        top_calls: list[tuple[int, str | None]],
    ) -> None:
        """Take what a walk found.

        Args:
            uses: children before parents, in source order.
            top_bindings: indices of the top-level statements that are sure to bind a name.
            top_calls: index of the top-level statement, name called (None where nameless).
        """
        self.uses = uses
        self._module = module
        self._top_bindings = top_bindings
        self._running = [top for top, name in top_calls if self._may_call_back(name)]

    def is_own(self, use: Use, name: str) -> bool:
        """Tell whether `name`, where it is used, is surely not the builtin of that name."""
        for scope in use.scope.suppliers(name):
            if scope.is_function:
                return True
            if name in scope.deleted:
                continue
            spans = scope.certain.get(name, [])
            place = bisect_left(spans, (use.moment, 0)) - 1
            if place >= 0 and use.moment <= spans[place][1]:
                return True
            if scope is self._module and use.deferred and self._is_called_later(use, name):
                return True
        return False

    def _is_called_later(self, use: Use, name: str) -> bool:
        """Tell whether a function above a binding of `name` can be called only after it."""
        bindings = self._top_bindings.get(name, [])
        binding = bisect_left(bindings, use.top)
        call = bisect_left(self._running, use.top)
        if binding == len(bindings):
            return False
        return call == len(self._running) or self._running[call] > bindings[binding]

    def _may_call_back(self, name: str | None) -> bool:
        """Tell whether calling `name` may run a function of the submission.

        A library function may too, when it is handed one. That is let pass: to refuse every
        global that is assigned below its function would punish more than it caught.
        """
        return name is None or name in self._module.bound - self._module.imported
