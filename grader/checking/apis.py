"""Which names of a library a ban on one of its functions covers.

A ban names an operation, not a spelling. `torch.softmax` covers the function wherever the library
keeps it (`torch.nn.functional.softmax`, `torch.special.softmax`), the method `Tensor.softmax` and
its in-place twin, the module `nn.Softmax`, and the operators `aten::softmax` and `aten::_softmax`.
A name that ends in a star covers what lies under it: `torch.fft.*`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

# What an operator's name has more than the function's: `native_layer_norm`, `_cdist_forward`.
_PREFIXES = ("native_", "safe_")
_SUFFIXES = ("_forward",)
# Methods that arrays, lists or texts have too. A call of one says nothing about the library, so
# the static check leaves it to the guard that watches the run.
_COMMON_METHODS = frozenset(
    {
        *("all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "clip", "conj"),
        *("copy", "count", "cumprod", "cumsum", "diagonal", "dot", "fill", "flatten", "index"),
        *("insert", "item", "max", "mean", "min", "nonzero", "partition", "pop", "prod", "ravel"),
        *("repeat", "replace", "reshape", "resize", "reverse", "round", "searchsorted", "sort"),
        *("split", "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "update"),
        *("var", "view", "union", "intersection", "difference", "find", "format", "join", "real"),
    }
)


def operation(name: str) -> str:
    """Return what a function, method, module or operator of that name does, as one word.

    Example:
        >>> operation("layer_norm"), operation("LayerNorm"), operation("_native_layer_norm_")
        ('layernorm', 'layernorm', 'layernorm')
    """
    plain = name.strip("_")
    for prefix in _PREFIXES:
        plain = plain.removeprefix(prefix)
    for suffix in _SUFFIXES:
        plain = plain.removesuffix(suffix)
    return plain.replace("_", "").lower()


class ForbiddenApis:
    """The library functions that one problem forbids."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = tuple(names)
        self._under = [name.removesuffix("*") for name in names if name.endswith(".*")]
        self._by_operation = {
            (name.partition(".")[0], operation(name.rpartition(".")[2])): name
            for name in names
            if not name.endswith(".*")
        }
        self.libraries = {name.partition(".")[0] for name in names}

    def __bool__(self) -> bool:
        return bool(self.names)

    def ban_of(self, dotted: str) -> str | None:
        """Return the ban that covers a library's name, None if none does."""
        for stem in self._under:
            if f"{dotted}.".startswith(stem):
                return f"{stem}*"
        library, _, rest = dotted.partition(".")
        if not rest:
            return None
        return self._by_operation.get((library, operation(rest.rpartition(".")[2])))

    def ban_of_method(self, name: str) -> str | None:
        """Return the ban that covers a call of a method of an object nobody knows."""
        if name in _COMMON_METHODS or name.startswith("__"):
            return None
        return self._by_operation.get(("torch", operation(name)))

    def spelled_in(self, words: Collection[str]) -> bool:
        """Tell whether any of the words of a source may name something forbidden."""
        wanted = {word for _, word in self._by_operation}
        wanted |= {operation(stem.rstrip(".").rpartition(".")[2]) for stem in self._under}
        return any(operation(word) in wanted for word in words)


def own_members(tree: ast.Module) -> frozenset[str]:
    """Return the names that a source defines or stores as attributes by itself."""
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                names.add(name)
            case ast.keyword(arg=str(name)):  # `SimpleNamespace(softmax=...)`
                names.add(name)
        if isinstance(node, ast.ClassDef):
            names |= _bound_in(node)
    return frozenset(names)


def _bound_in(owner: ast.ClassDef) -> set[str]:
    """The names that a class's body binds by assignment: fields, and methods defined elsewhere."""
    targets: list[ast.expr] = []
    for statement in owner.body:
        match statement:
            case ast.Assign(targets=several):
                targets += several
            case ast.AnnAssign(target=target):
                targets.append(target)
    return {target.id for target in targets if isinstance(target, ast.Name)}
