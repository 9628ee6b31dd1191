"""Markdown of problems and code of learners as HTML that a strict content policy lets through."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import nh3
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from grader.authoring.markdown import BadFormula, render

_MATH: Final = frozenset(
    [
        "math",
        "semantics",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "mrow",
        "mfrac",
        "msqrt",
        "mroot",
        "mstyle",
        "merror",
        "mpadded",
        "mphantom",
        "menclose",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mmultiscripts",
        "mprescripts",
        "mtable",
        "mtr",
        "mtd",
    ]
)
_TEXT: Final = frozenset(
    [
        "a",
        "blockquote",
        "br",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_OF_MATH: Final = frozenset(
    [
        "accent",
        "accentunder",
        "class",
        "columnalign",
        "depth",
        "display",
        "displaystyle",
        "fence",
        "form",
        "height",
        "intent",
        "largeop",
        "linethickness",
        "lspace",
        "mathvariant",
        "maxsize",
        "minsize",
        "movablelimits",
        "notation",
        "rowspacing",
        "rspace",
        "scriptlevel",
        "separator",
        "stretchy",
        "symmetric",
        "voffset",
        "width",
    ]
)
_ATTRIBUTES: Final = {
    **{tag: set(_OF_MATH) for tag in _MATH},
    **{tag: {"class"} for tag in ("code", "div", "span", "pre")},
    "a": {"href", "title"},
    "ol": {"start"},
}
_STYLE: Final = re.compile(r'(<m\w+)((?: [\w-]+="[^"]*")*?) style="([^"]*)"')
# What the formulas are given by style, as a class; anything else is left out.
_CLASSES: Final = {
    "text-align:right": "ta-r",
    "text-align:left": "ta-l",
    "text-align:center": "ta-c",
    "padding-left:0": "pl-0",
    "padding-right:0": "pr-0",
    "padding-left:1em": "pl-1",
    "border-right:0.05em solid currentcolor": "br-1",
    "border-left:0.05em solid currentcolor": "bl-1",
    "border-top:0.05em solid currentcolor": "bt-1",
    "border-bottom:0.05em solid currentcolor": "bb-1",
}
# What may be wider than the page scrolls by itself, and a keyboard must get to it.
_WIDE: Final = re.compile(r'<(pre|div class="math block")>')
_HEADING: Final = re.compile(r"(</?h)([1-6])(?=[\s>])")
_NOT_TEXT: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
    )
    + "]"
)
_MOST_HIGHLIGHTED: Final = 20_000  # characters; each token costs a page some 25 bytes
_MOST_SHOWN: Final = 60_000


@lru_cache(maxsize=1024)
def prose(text: str, top: int = 2) -> Markup:
    """Return Markdown as HTML, its highest heading at level `top`.

    What the author wrote as HTML is shown as text. A formula that cannot be shown is left as its
    source, for a page must not fail over one formula; the gate has refused it before.
    """
    try:
        made = render(plain(text))
    except BadFormula:
        return Markup("<pre>{}</pre>").format(plain(text))
    levels = [int(level) for _, level in _HEADING.findall(made)]
    shift = top - min(levels, default=top)
    made = _HEADING.sub(lambda found: f"{found[1]}{min(int(found[2]) + shift, 6)}", made)
    made = _STYLE.sub(_classed, made)
    clean = nh3.clean(
        made,
        tags=set(_MATH | _TEXT),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    return Markup(_WIDE.sub(r'<\1 tabindex="0">', clean))


def _classed(found: re.Match[str]) -> str:
    declared = (part.partition(":") for part in found[3].split(";"))
    names = [_CLASSES.get(f"{name.strip()}:{value.strip()}") for name, _, value in declared]
    classes = " ".join(name for name in names if name)
    return found[1] + found[2] + (f' class="{classes}"' if classes else "")


def plain(text: str) -> str:
    """Return text that every encoding and every parser of HTML takes: the rest as U+FFFD."""
    return _NOT_TEXT.sub("\ufffd", text)


def code_lines(source: str) -> list[Markup]:
    """Return Python line by line, highlighted unless it is long."""
    text = plain(source[:_MOST_SHOWN]).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if len(text) > _MOST_HIGHLIGHTED:
        return [escape(line) for line in text.split("\n")]
    # Its lines are whole: a token that spans two is closed and opened again between them.
    made = highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return [Markup(line) for line in str(made).removesuffix("\n").split("\n")]


def is_clipped(source: str) -> bool:
    """Whether `code_lines` leaves some of it out."""
    return len(source) > _MOST_SHOWN
