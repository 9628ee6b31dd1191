"""Our own mutators, for what numerical code gets wrong: axes, reductions, eps, dtype, checks.

Each is a generator that is shown one node of a syntax tree and yields what could stand in its
place, or pairs of a part of it and what could stand in place of that: something as easily written
by mistake. Python's common slips (operators, numbers, comparisons) come from a library.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

Mutation = ast.AST | tuple[ast.AST, ast.AST]
Mutator = Callable[[ast.AST], Iterator[Mutation]]

_SWAPPED = {
    "mean": "sum", "sum": "mean", "nanmean": "nansum", "nansum": "nanmean",
    "max": "min", "min": "max", "amax": "amin", "amin": "amax",
    "maximum": "minimum", "minimum": "maximum", "argmax": "argmin", "argmin": "argmax",
    "any": "all", "all": "any", "cumsum": "cumprod", "ceil": "floor", "floor": "ceil",
    "add_": "sub_", "sub_": "add_", "ones": "zeros", "zeros": "ones",
    "ones_like": "zeros_like", "zeros_like": "ones_like", "triu": "tril", "tril": "triu",
    "logical_and": "logical_or", "logical_or": "logical_and", "append": "extend",
}  # fmt: skip
_NARROWED = {"float64": "float32", "double": "float", "int64": "int32", "complex128": "complex64"}
_DROPPED_METHODS = {
    *("detach", "clone", "copy", "abs", "sqrt", "exp", "log", "square", "clamp", "clip", "round"),
    *("transpose", "permute", "flip", "flatten", "unsqueeze", "squeeze", "contiguous", "sort"),
    *("double", "float", "long", "conj", "strip", "lower", "tolist", "item"),
}
_MODULES = {"torch", "np", "numpy", "math"}  # whose functions take what a method is called on
_DROPPED_CALLS = {"sorted", "set", "reversed", "abs", "list", "tuple", "dict", "fromkeys", "round"}
_AXES = {"dim", "axis"}
_FLAGS = {"keepdim", "keepdims", "unbiased", "descending", "stable", "right", "largest", "reverse"}
_COUNTS = {"correction", "ddof", "start", "k", "offset", "diagonal", "minlength"}
_SMALL = 1e-3  # a literal below it was put there against a zero


def swapped_names(node: ast.AST) -> Iterator[ast.AST]:
    """Mean for sum, max for min, float32 for float64."""
    for table in (_SWAPPED, _NARROWED):
        match node:
            case ast.Attribute(attr=name) if name in table:
                yield _with(node, attr=table[name])
            case ast.Call(func=ast.Name(id=name)) if name in table:
                yield _with(node, func=ast.Name(table[name], ast.Load()))


def changed_keywords(node: ast.AST) -> Iterator[ast.AST]:
    """Drop `dim`, flip `keepdim` or `unbiased`, move `ddof`; each keyword by itself."""
    if not isinstance(node, ast.Call):
        return
    for place, keyword in enumerate(node.keywords):
        others = [*node.keywords[:place], *node.keywords[place + 1 :]]
        if keyword.arg in _AXES | _FLAGS | _COUNTS:
            yield _with(node, keywords=others)
        for value in _other_values(keyword):
            changed = ast.keyword(keyword.arg, value)
            yield _with(node, keywords=[*others, changed])


def _other_values(keyword: ast.keyword) -> Iterator[ast.expr]:
    match keyword.value:
        case ast.Constant(value=bool(flag)) if keyword.arg in _FLAGS:
            yield ast.Constant(not flag)
        case ast.Constant(value=int(number)) if keyword.arg in _AXES:
            yield ast.Constant(1 if number == 0 else 0)
        case ast.UnaryOp(op=ast.USub()) if keyword.arg in _AXES:
            yield ast.Constant(0)


def swapped_arguments(node: ast.AST) -> Iterator[ast.AST]:
    """The first two arguments in the other order; the same for what is returned."""
    match node:
        case ast.Call(args=[first, second, *rest]) if ast.dump(first) != ast.dump(second):
            yield _with(node, args=[second, first, *rest])
        case ast.Return(value=ast.Tuple(elts=[first, second, *rest]) as value):
            yield _with(node, value=_with(value, elts=[second, first, *rest]))
        case ast.Subscript(slice=ast.Tuple(elts=[first, second, *rest]) as index):
            yield _with(node, slice=_with(index, elts=[second, first, *rest]))


def dropped_calls(node: ast.AST) -> Iterator[ast.AST]:
    """`x` for `x.detach()`, `torch.sqrt(x)`, `x.T`, `sorted(x)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[value, *_]
        ) if module in _MODULES and name in _DROPPED_METHODS:
            yield value
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _DROPPED_METHODS:
            yield value
        case ast.Call(func=ast.Name(id=name), args=[value, *_]) if name in _DROPPED_CALLS:
            yield value
        case ast.Attribute(value=value, attr="T" | "mT"):
            yield value


def dropped_terms(node: ast.AST) -> Iterator[ast.AST]:
    """One side of a sum, a product or a condition alone; eps goes like this."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            yield left
            if not _is_small(left):
                yield right
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod()):
            yield left
        case ast.BinOp(left=left, op=ast.Pow()):
            yield left
        case ast.BoolOp(values=values):
            for place in range(len(values)):
                kept = [*values[:place], *values[place + 1 :]]
                yield kept[0] if len(kept) == 1 else _with(node, values=kept)


def _is_small(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=float(number)):
            return abs(number) < _SMALL
        case ast.Name(id=name):
            return "eps" in name
    return False


def decided_conditions(node: ast.AST) -> Iterator[Mutation]:
    """A check that always or never holds; one branch for both."""
    match node:
        case ast.If(test=test) if not isinstance(test, ast.Constant):
            yield test, ast.Constant(False)
            yield test, ast.Constant(True)
        case ast.IfExp(body=first, orelse=second):
            yield first
            yield second
        case ast.comprehension(ifs=conditions):
            for condition in conditions:
                yield condition, ast.Constant(True)


def shortened_loops(node: ast.AST) -> Iterator[Mutation]:
    """Skip the first or the last element; go round once; stop after the first."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[*first, stop]):
            yield _with(node, args=[*first, ast.BinOp(stop, ast.Sub(), ast.Constant(1))])
            if not first:
                yield _with(node, args=[ast.Constant(1), stop])
        case ast.Call(func=ast.Name(id="len")):
            yield ast.BinOp(node, ast.Sub(), ast.Constant(1))
        case ast.Call(func=ast.Name(id="enumerate"), args=[values]):
            yield _with(node, args=[values, ast.Constant(1)])
        case ast.For(body=body):
            yield body[-1], ast.Module([body[-1], ast.Break()], [])
        case ast.Slice(lower=lower, upper=upper, step=None):
            if lower is not None:
                yield _with(node, lower=None)
            if upper is not None:
                yield _with(node, upper=None)
                yield _with(node, upper=ast.BinOp(upper, ast.Sub(), ast.Constant(1)))


def dropped_statements(node: ast.AST) -> Iterator[ast.AST]:
    """A call made for its effect, or an addition, left out; `break` and `continue` exchanged."""
    match node:
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Pass()
        case ast.With(body=body):  # `torch.no_grad()` left out
            yield ast.If(ast.Constant(True), body, [])


MUTATORS: dict[str, Mutator] = {
    "name swapped": swapped_names,
    "keyword changed": changed_keywords,
    "order swapped": swapped_arguments,
    "call dropped": dropped_calls,
    "term dropped": dropped_terms,
    "condition decided": decided_conditions,
    "loop shortened": shortened_loops,
    "statement dropped": dropped_statements,
}


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node with some fields changed."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
