"""Text of a submission does nothing to whoever looks at it."""

from __future__ import annotations

import pytest

from grader.inert import inert


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("naïve 平衡 cân bằng", "naïve 平衡 cân bằng"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
        ("a\rb\x00c\x7f", "a\\x0db\\x00c\\x7f"),
        ("\x9b31m", "\\x9b31m"),
        ("abc\u202ecba\u2066x", "abc\\u202ecba\\u2066x"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("\ud800", "\\ud800"),
        ("line\u2028paragraph\u2029", "line\\u2028paragraph\\u2029"),
        ("\U000e0041", "\\U000e0041"),
        ("<script>[bold]", "<script>[bold]"),
    ],
)
def test_active_characters_are_written_as_escapes(text: str, shown: str) -> None:
    """Control sequences, bidi marks, surrogates; markup is for the surface to escape."""
    assert inert(text, 200) == shown


@pytest.mark.parametrize("text", ["x" * 300, "\x1b" * 300, "é" * 300])
def test_text_is_cut_to_its_limit_and_says_so(text: str) -> None:
    """Escapes count too."""
    shown = inert(text, 100)
    assert len(shown) <= 100
    assert shown.endswith("… (cut)")
