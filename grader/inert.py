"""Text from a submission, made harmless wherever it is shown."""

from __future__ import annotations

import unicodedata

# Cc: control, Cf: format (bidi marks, zero-width), Cs: lone surrogates, Co/Cn: unassigned,
# Zl/Zp: line and paragraph separators, which some screens take for line ends.
_ACTIVE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_KEPT = frozenset("\n\t")
_CUT = " … (cut)"


def inert(text: str, limit: int) -> str:
    """Return text that no terminal and no editor acts upon, at most `limit` characters long.

    Line ends and tabs stay; any other control, format or surrogate character is written as
    its escape. Markup is for the surface that shows it to escape.

    Example:
        >>> inert("a\\x1b[2J\\u202eb", 80)
        'a\\\\x1b[2J\\\\u202eb'
    """
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    cut = len(text) > limit
    shown = "".join(_escape(c) for c in text[:limit])
    if cut or len(shown) > limit:
        shown = shown[: max(limit - len(_CUT), 0)] + _CUT
    return shown


def _escape(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _ACTIVE:
        return character
    return (
        character.encode("ascii", "backslashreplace").decode()
        if character > "\x7f"
        else (f"\\x{ord(character):02x}")
    )
