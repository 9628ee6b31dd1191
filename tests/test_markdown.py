"""Statements as HTML: formulas, code, and nothing that a browser would run."""

from __future__ import annotations

import pytest

from grader.authoring.markdown import BadFormula, render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("$x$", "<math><mi>x</mi></math>"),
        ("$$x$$", '<math display="block"><mi>x</mi></math>'),
        ("$\\frac{1}{n}$", "<math><mfrac><mn>1</mn><mi>n</mi></mfrac></math>"),
        (
            "| a |\n|---|\n| $x$ |",
            '<td><span class="math inline"><math><mi>x</mi></math></span></td>',
        ),
        ("**bold**", "<strong>bold</strong>"),
    ],
)
def test_formulas_stand_in_markdown(text: str, html: str) -> None:
    """As MathML, which a browser shows without a script."""
    assert html in render(text)


@pytest.mark.parametrize("text", ["from $5 and $10", "$5", "`$x$`", "\\$x\\$"])
def test_a_dollar_is_no_formula_by_itself(text: str) -> None:
    """Prices and code are text."""
    assert "<math" not in render(text)
    assert "$" in render(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a <img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("<!-- hidden -->", "&lt;!-- hidden --&gt;"),
        ("```nonsense\n<b>\n```", "&lt;b&gt;"),
        ("```python\nx = '<b>'\n```", "&lt;b&gt;"),
        ("$\\text{<b>}$", "&lt;b&gt;"),
    ],
)
def test_raw_html_is_shown_as_text(text: str, shown: str) -> None:
    """Whoever translates a statement must not run scripts in a learner's browser."""
    html = render(text)
    assert shown in html
    for tag in ("<script", "<img", "<!--", "<b>"):
        assert tag not in html


def test_a_link_to_a_script_is_no_link() -> None:
    """It stays the text that it is."""
    assert "<a" not in render("[here](javascript:alert(1))")


@pytest.mark.parametrize(
    ("block", "html"),
    [
        ("```python\ndef f(x):\n    pass\n```", '<span class="k">def</span>'),
        ("```python\n>>> f(1)\n2\n```", '<span class="gp">&gt;&gt;&gt; </span>'),
    ],
)
def test_python_is_highlighted(block: str, html: str) -> None:
    """A session at the prompt as such."""
    assert html in render(block)


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("\\suum x", 'Unknown command "\\suum".'),
        ("\\frac{n", 'Expected closing token "}", but reached end of input.'),
        ("x_1_2", "Duplicate subscript or superscript."),
    ],
)
def test_a_bad_formula_names_itself_and_why(formula: str, why: str) -> None:
    """An author finds it in the text."""
    with pytest.raises(BadFormula) as error:
        render(f"First $a$, then ${formula}$.")
    assert str(error.value) == f"the formula {formula!r} cannot be shown: {why}"
