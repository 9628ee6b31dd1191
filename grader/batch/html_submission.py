"""One submission on the page of a batch: a line, and behind it the case that decided."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from grader.batch.failure import deciding_case, failed_in, line_of, reason
from grader.batch.records import Record
from grader.batch.safe_text import name_text, one_line
from grader.batch.summary_text import summary_parts
from grader.batch.tally import time_words
from grader.batch.verdict_words import NOT_JUDGED_LETTERS, family, letters, words
from grader.inert import inert
from grader.report import Verdict

NAME_CHARS: Final = 120
_LINE_CHARS: Final = 160  # of a message on the line of a submission
_MESSAGE_CHARS: Final = 800
_VALUE_CHARS: Final = 500
_PRINTED_CHARS: Final = 500
_MAX_INPUTS: Final = 10
_MAX_STRIP: Final = 60  # cases drawn; more would be thinner than a finger and an eye can tell


def shown(text: str, limit: int) -> str:
    """Return text of several lines as HTML."""
    return escape(inert(text, limit))


def shown_name(text: str, limit: int = NAME_CHARS) -> str:
    """Return a name as HTML that does not turn the direction of what stands beside it."""
    return f"<bdi>{escape(name_text(text, limit))}</bdi>"


def icon(verdict: str) -> str:
    """Return the silhouette of a verdict; the letters or words beside it say the same."""
    name = letters(verdict).lower() if letters(verdict) != NOT_JUDGED_LETTERS else "ie"
    return f'<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-{name}"/></svg>'


def tag(verdict: str) -> str:
    """Return a verdict as icon and word on its tint."""
    return f'<span class="tag {family(verdict)}">{icon(verdict)}{escape(words(verdict))}</span>'


def submission_html(record: Record, detailed: bool) -> str:
    """Return one submission as HTML, `id="s<position>"` for links; opens without script.

    Args:
        detailed: False leaves out values, inputs and what was printed, to keep a page small.
    """
    facts = _facts(record)
    head = (
        f"{tag(record.verdict)}<b>{shown_name(record.who or record.id)}</b>"
        f"<code>{shown_name(record.slug)}</code>"
    )
    said = escape(one_line(reason(record), _LINE_CHARS))
    place = f'data-v="{escape(record.verdict)}"'
    if record.verdict == Verdict.ACCEPTED:
        return (
            f'<div class="sub" id="s{record.position}" {place}>{head}'
            f'<span class="msg">{facts}</span></div>'
        )
    passed = f"{record.report['passed']}/{record.report['total']}" if record.report else ""
    body = _body(record, facts, detailed)
    # The link's target is inside, so a browser opens the whole to show it.
    return (
        f'<details class="sub" {place}><summary>{head}<span class="msg">{said}</span>'
        f'<span class="num">{passed}</span></summary>'
        f'<div class="in" id="s{record.position}">{body}</div></details>'
    )


def _facts(record: Record) -> str:
    facts = [f"<span>{shown_name(record.id)}</span>"]
    report = record.report
    if report is not None:
        usage = report["usage"]
        facts.append(f"<span>{report['passed']} of {report['total']} cases</span>")
        facts.append(f"<span>{time_words(usage['cpu_ms'])} CPU</span>")
        if usage["memory_mb"] >= 1:
            facts.append(f"<span>{usage['memory_mb']:.0f} MiB</span>")
        if report["attempts"] > 1:
            facts.append(f"<span>{report['attempts']} attempts of ours</span>")
        if report["isolation"] != "full":
            facts.append("<b>not isolated</b>")
    if record.cached:
        facts.append("<span>from the cache</span>")
    line = line_of(record)
    if line is not None:
        facts.append(f"<span>line {line}</span>")
    return " · ".join(facts)


def _body(record: Record, facts: str, detailed: bool) -> str:
    case = deciding_case(record)
    parts = [f'<p class="facts">{facts}</p>']
    if record.report is not None and detailed:
        parts.append(_strip(record.report["cases"]))
    if case is not None:
        hidden = ' <span class="chip">hidden case</span>' if case["hidden"] else ""
        parts.append(f"<h3>{shown_name(str(case['case_name']))}{hidden}</h3>")
    parts.append(
        f'<p class="say">{shown(reason(record), _MESSAGE_CHARS) or words(record.verdict)}</p>'
    )
    if record.report is not None and len(record.report["violations"]) > 1:
        parts.append(_violations(record.report["violations"][1:_MAX_INPUTS]))
    if case is not None and detailed:
        parts.append(_case(case))
    elif record.report is not None and detailed:
        parts.append(_printed(record.report))
    elif case is not None:
        parts.append('<p class="q">Values are left out here, to keep the page small.</p>')
    return "".join(parts)


def _violations(found: list[dict[str, Any]]) -> str:
    lines = (f"<li>line {one['line']}: {shown(one['message'], _VALUE_CHARS)}</li>" for one in found)
    return f"<ul>{''.join(lines)}</ul>"


def _case(case: dict[str, Any]) -> str:
    parts = []
    if case["hint"]:
        parts.append(f'<p class="hint"><b>Hint.</b> {shown(case["hint"], _VALUE_CHARS)}</p>')
    found = []
    if case["where"]:
        found.append(f"First difference at <code>{shown(case['where'], _LINE_CHARS)}</code>.")
    if case["max_diff"] is not None:
        found.append(f"Largest difference <code>{escape(_number(case['max_diff']))}</code>.")
    if found:
        parts.append(f'<p class="q">{" ".join(found)}</p>')
    values = (("Actual", "user_output_summary"), ("Expected", "expected_summary"))
    pair = "".join(_value(label, case[key]) for label, key in values if case[key] is not None)
    if pair:
        parts.append(f'<div class="pair">{pair}</div>')
    given = list((case["input"] or {}).items())
    rows = "".join(
        f"<tr><th scope=row><code>{shown_name(name)}</code></th>"
        f"<td><code>{shown(text, _VALUE_CHARS)}</code></td></tr>"
        for name, text in given[:_MAX_INPUTS]
    )
    if rows:
        more = f'<p class="q">{len(given) - _MAX_INPUTS} more</p>' if given[_MAX_INPUTS:] else ""
        parts.append(f"<h4>Input</h4><table class=given><tbody>{rows}</tbody></table>{more}")
    return "".join(parts) + _printed(case)


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"


def _value(label: str, summary: Any) -> str:
    preview, about = summary_parts(summary)
    return (
        f"<div><h4>{label} <span>{shown(about, _LINE_CHARS)}</span></h4>"
        f"<pre>{shown(preview, _VALUE_CHARS)}</pre></div>"
    )


def _printed(printed: dict[str, Any]) -> str:
    return "".join(
        f"<h4>{label}</h4><pre>{shown(printed[key], _PRINTED_CHARS)}</pre>"
        for label, key in (("Printed", "stdout"), ("Printed as errors", "stderr"))
        if printed[key]
    )


# Height as well as colour: passed is short, a limit is middle, failed is tall.
_BARS: Final = {"ok": (8, 4), "limit": (4, 8), "idle": (10, 2)}
_TALL: Final = (0, 12)


def _strip(cases: list[dict[str, Any]]) -> str:
    """The cases as bars: one path a family, which costs a page less than a bar each."""
    drawn = cases[:_MAX_STRIP]
    paths: dict[str, list[str]] = {}
    for number, case in enumerate(drawn):
        name = "idle" if case["verdict"] == Verdict.SKIPPED else family(case["verdict"])
        top, height = _BARS.get(name, _TALL)
        paths.setdefault(name, []).append(f"M{number * 6} {top}h4v{height}h-4z")
    bars = "".join(f'<path class="{name}" d="{"".join(ds)}"/>' for name, ds in paths.items())
    passed, failed = sum(c["passed"] for c in cases), sum(map(failed_in, cases))
    about = f"{passed} cases passed, {failed} failed, {len(cases) - passed - failed} not run"
    width = len(drawn) * 6
    more = (
        f' <span class="q">and {len(cases) - len(drawn)} more</span>' if cases[_MAX_STRIP:] else ""
    )
    return (
        f'<p class="bars"><svg viewBox="0 0 {width} 12" width="{width}" height="12" role="img" '
        f'aria-label="{about}">{bars}</svg>{more}</p>'
    )
