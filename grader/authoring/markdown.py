"""Statements as HTML: Markdown with $LaTeX$, highlighted Python, nothing that runs."""

from __future__ import annotations

import html
import re
from functools import cache
from typing import Any

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class BadFormula(ValueError):
    """A formula that cannot be shown; the message has the formula and the reason."""


def render(text: str) -> str:
    """Return Markdown as HTML, formulas as MathML; raw HTML is shown as text.

    Raises:
        BadFormula: a formula uses what the renderer does not know.
    """
    parsed: str = _parser().render(text)
    return parsed


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
    return parser.use(
        dollarmath_plugin,
        renderer=lambda formula, options: _mathml(formula, options["display_mode"]),
        allow_digits=False,
    )


def _mathml(formula: str, display: bool) -> str:
    import math_core

    try:
        converter = math_core.LatexToMathML()
        return str(converter.convert_with_local_state(formula, displaystyle=display))
    except math_core.LatexError as error:
        # The first line says it, after an empty one; a drawing of the place follows.
        reason = _ANSI.sub("", str(error)).strip().partition("\n")[0].removeprefix("Error: ")
        raise BadFormula(f"the formula {formula.strip()!r} cannot be shown: {reason}") from None


def _highlighted(code: str, language: str, _attributes: str) -> str:
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    lexer_name = "pycon" if ">>>" in code and language == "python" else language or "text"
    try:
        lexer = get_lexer_by_name(lexer_name)
    except ClassNotFound:
        return html.escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))
