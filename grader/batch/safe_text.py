"""Names and sentences from outside, fit for the files of other programs."""

from __future__ import annotations

import re
from typing import Final

from grader.inert import inert

# Control characters, line and paragraph separators, and the marks that turn the direction of the
# text after them. Joiners and the weak marks (U+200C to U+200F) stay: names are written with them.
_ACTIVE_IN_NAMES: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SURROGATE: Final = re.compile("[\ud800-\udfff\ufffe\uffff]")
_BREAKS: Final = re.compile(r"\r\n|[\r\n]")


def name_text(text: str, limit: int) -> str:
    """Return a name on one line, letter for letter where no program could stumble over it.

    Unlike `inert` it leaves joiners alone, for a name is looked up by others. Lone surrogates
    become U+FFFD, control characters their escapes; a longer name ends in "…".

    Example:
        >>> name_text("Zoë\\n\\ud800", 40)
        'Zoë\\\\x0a\ufffd'
    """
    shown = _SURROGATE.sub("\ufffd", text[: limit + 1])
    shown = _ACTIVE_IN_NAMES.sub(lambda found: inert_escape(found[0]), shown)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def one_line(text: str, limit: int) -> str:
    """Return text on one line: line ends as `\\n`, tabs as `\\t`, all else as `inert` has it.

    Example:
        >>> one_line("a\\r\\nb", 40)
        'a\\\\nb'
    """
    shown = _BREAKS.sub("\n", text[: limit + 1])
    return inert(shown, limit).replace("\n", "\\n").replace("\t", "\\t")


def inert_escape(character: str) -> str:
    """Return the escape of one character.

    Example:
        >>> inert_escape("\\x00")
        '\\\\x00'
    """
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
