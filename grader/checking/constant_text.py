"""The text an expression is sure to have, where it is made of constants: `"ev" + "al"`."""

from __future__ import annotations

import ast
from collections.abc import Mapping

# The kinds of node that can have a text; asking about others is a waste of time.
FOLDABLE = (ast.Constant, ast.BinOp, ast.JoinedStr, ast.FormattedValue, ast.Call, ast.Subscript)
_MAX_CHARACTERS = 256  # longer text names nothing; it would make long sums quadratic


def fold_text(node: ast.AST, known: Mapping[int, str]) -> str | None:
    """Return the text of `node`, None where it is not sure or too long to matter.

    Args:
        known: the texts of its parts, by id of the node; so that nothing recurses.
    """
    text = _fold(node, known)
    return text if text is not None and len(text) <= _MAX_CHARACTERS else None


def _fold(node: ast.AST, known: Mapping[int, str]) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined("", [left, right], known)
        case ast.BinOp(left=left, op=ast.Mod(), right=right) if id(left) in known:
            return _formatted(known[id(left)], right, known)
        case ast.JoinedStr(values=parts):
            return _joined("", parts, known)
        case ast.FormattedValue(value=value, conversion=-1 | 115, format_spec=None):  # 115: !s
            return known.get(id(value))
        case ast.Call(
            func=ast.Attribute(value=glue, attr="join"),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
        ) if id(glue) in known:
            return _joined(known[id(glue)], parts, known)
        case ast.Subscript(
            value=value,
            slice=ast.Slice(
                lower=None,
                upper=None,
                step=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)),
            ),
        ) if id(value) in known:
            return known[id(value)][::-1]
    return None


def _joined(glue: str, parts: list[ast.expr], known: Mapping[int, str]) -> str | None:
    texts = [known.get(id(part)) for part in parts[:_MAX_CHARACTERS]]
    if len(parts) > _MAX_CHARACTERS or None in texts:
        return None
    return glue.join(text for text in texts if text is not None)


def _formatted(pattern: str, right: ast.expr, known: Mapping[int, str]) -> str | None:
    """Return `pattern % right` for plain `%s` alone: a width could ask for a gigabyte."""
    parts = right.elts if isinstance(right, ast.Tuple) else [right]
    texts = [known.get(id(part)) for part in parts]
    pieces = pattern.split("%s")
    if len(pieces) != len(texts) + 1 or None in texts or any("%" in piece for piece in pieces):
        return None
    filled = [piece + (text or "") for piece, text in zip(pieces, [*texts, ""], strict=True)]
    return "".join(filled)
