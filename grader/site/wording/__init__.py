"""Every word of the site, in every language it speaks.

`{name}` is filled in; "one day|{n} days" says what stands for n = 1 and for any other n.
"""

from __future__ import annotations

from typing import Any, Final

from grader.site.values import Language
from grader.site.wording import classes, people, practice

_COLUMNS: Final[tuple[Language, ...]] = ("en", "zh", "vi")
WORDS: Final[dict[str, dict[Language, str]]] = {
    key: dict(zip(_COLUMNS, row, strict=True))
    for rows in (practice.ROWS, people.ROWS, classes.ROWS)
    for key, row in rows.items()
}


def word(key: str, language: Language, **given: Any) -> str:
    """Return the words of a key in a language, filled in.

    Raises:
        KeyError: there is no such key, or a value to fill in is missing.

    Example:
        >>> word("n.days", "en", n=1)
        '1 day'
    """
    text = WORDS[key][language]
    if "|" in text:
        one, _, many = text.partition("|")
        text = one if given.get("n") == 1 else many
    return text.format(**given) if given else text


def words_of(prefix: str, language: Language) -> dict[str, str]:
    """Return all words under a prefix, by what follows it: for the scripts."""
    return {
        key.removeprefix(prefix): texts[language]
        for key, texts in WORDS.items()
        if key.startswith(prefix)
    }
