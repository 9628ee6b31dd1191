"""A statement on one self-contained page, as a learner will read it."""

from __future__ import annotations

import base64
import html
from pathlib import Path

from grader.authoring.markdown import render
from grader.spec import Problem

_ASSETS = Path(__file__).parents[1] / "assets"
_LABELS = {
    "en": ("Cases", "Hint", "Editorial", "Start from", "hidden", "limits", "tolerance"),
    "zh": ("用例", "提示", "题解", "起始代码", "隐藏", "限制", "容差"),
    "vi": ("Các ca kiểm thử", "Gợi ý", "Lời giải", "Mã khởi đầu", "ẩn", "giới hạn", "dung sai"),
}


def preview_page(problem: Problem) -> str:
    """Return HTML with the statement in every language, hints, cases and editorial.

    It loads nothing: styles and the font for formulas are inside.

    Raises:
        BadFormula: a formula cannot be shown.
    """
    languages = [problem.language, *problem.translations]
    links = "".join(f'<a href="#{code}">{code}</a>' for code in languages)
    parts = "".join(_section(problem, code) for code in languages)
    font = base64.b64encode((_ASSETS / "latinmodern-math.woff2").read_bytes()).decode()
    face = (
        '@font-face{font-family:"Latin Modern Math";'
        f"src:url(data:font/woff2;base64,{font}) format('woff2')}}"
    )
    styles = face + "".join((_ASSETS / n).read_text("utf-8") for n in ("tokens.css", "preview.css"))
    return (
        f'<!doctype html>\n<html lang="{problem.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        " style-src 'unsafe-inline'; font-src data:\">"
        f"<title>{html.escape(problem.title)}</title><style>{styles}</style></head>"
        f"<body><main><nav>{links}</nav>{parts}</main></body></html>\n"
    )


def _section(problem: Problem, language: str) -> str:
    texts = problem.translations.get(language, {})
    own = language == problem.language
    title = problem.title if own else texts.get("title", problem.title)
    statement = problem.description_md if own else texts.get("description_md", "")
    hints = problem.hints if own else texts.get("hints", ())
    editorial = problem.editorial_md if own else texts.get("editorial_md", "")
    cases, hint, solution, start, hidden, limits, tolerance = _LABELS.get(
        language.partition("-")[0], _LABELS["en"]
    )
    about = (
        f"{problem.slug} · {problem.difficulty}"
        f" · {limits}: {problem.time_limit_s:g} s, {problem.memory_limit_mb} MiB"
        f" · {tolerance}: atol {problem.atol:g}, rtol {problem.rtol:g}"
    )
    folded = [(f"{hint} {n}", render(text)) for n, text in enumerate(hints, 1)]
    folded.append((start, render(f"```python\n{problem.starter_code}\n```")))
    folded.append((cases, _cases(problem, hidden)))
    if editorial:
        folded.append((solution, render(editorial)))
    details = "".join(
        f"<details><summary>{html.escape(name)}</summary>{text}</details>" for name, text in folded
    )
    return (
        f'<article id="{language}" lang="{language}"><header><h1>{html.escape(title)}</h1>'
        f'<p class="meta">{html.escape(about)}</p></header>{render(statement)}{details}</article>'
    )


def _cases(problem: Problem, hidden: str) -> str:
    rows = []
    for case in problem.cases:
        given = ", ".join(f"{name}={text}" for name, text in case.raw_inputs.items())
        shown = f"<code>{html.escape(given)}</code>" if given else ""
        mark = f" ({hidden})" if case.hidden else ""
        rows.append(f"<tr><td>{html.escape(case.name)}{mark}</td><td>{shown}</td></tr>")
    return f"<table>{''.join(rows)}</table>"
