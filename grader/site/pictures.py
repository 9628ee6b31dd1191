"""Small pictures as SVG: sizes are attributes and colours are classes, as the policy wants it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from markupsafe import Markup, escape

_LEVELS = ("Easy", "Medium", "Hard")
_BARS = ((0, 8, 4), (5, 5, 7), (10, 2, 10))


def level(difficulty: str) -> Markup:
    """Three bars; the word stands beside them."""
    reached = _LEVELS.index(difficulty) if difficulty in _LEVELS else -1
    bars = "".join(
        f'<rect class="lv{" on" if n <= reached else ""}" x="{x}" y="{y}" width="3.5" '
        f'height="{height}" rx="1"/>'
        for n, (x, y, height) in enumerate(_BARS)
    )
    return Markup(
        f'<svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">{bars}</svg>'
    )


def pips(value: int) -> Markup:
    """Five dots, `value` of them full; the number stands beside them."""
    dots = "".join(
        f'<circle class="pip{" on" if n < value else ""}" cx="{5 + 12 * n}" cy="5" r="4"/>'
        for n in range(5)
    )
    return Markup(
        f'<svg width="58" height="10" viewBox="0 0 58 10" aria-hidden="true">{dots}</svg>'
    )


def meter(parts: Iterable[tuple[str, float]], total: float) -> Markup:
    """A bar of parts by class, of a whole; the numbers stand beside it."""
    bars, left = [], 0.0
    for name, size in parts:
        width = min(max(size / total if total else 0, 0), 1) * 1000
        width = min(width, 1000 - left)
        bars.append(f'<rect class="{name}" x="{left:.1f}" width="{width:.1f}" height="8"/>')
        left += width
    return Markup(
        '<svg class="meter" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="fbg" width="1000" height="8"/>{"".join(bars)}</svg>'
    )


# Height and class of a bar by family of its verdict: short passed, tall failed, middle stopped.
_CASE_BARS = {"ok": (5, "fok"), "limit": (11, "flimit"), "idle": (2, "fidle")}
_TALL = (14, "fwrong")


def bars(families: Sequence[str], about: str) -> Markup:
    """A bar a case, told apart by height as well as by colour; families are of their verdicts."""
    step = min(8.0, 88 / max(len(families), 1))
    drawn = []
    for number, family in enumerate(families):
        height, name = _CASE_BARS.get(family, _TALL)
        drawn.append(
            f'<rect class="{name}" x="{number * step:g}" y="{16 - height}"'
            f' width="{0.75 * step:g}" height="{height}"/>'
        )
    width = f"{max(len(families), 1) * step:g}"
    return Markup(
        f'<svg width="{width}" height="18" viewBox="0 0 {width} 18" role="img"'
        f' aria-label="{escape(about)}">{"".join(drawn)}</svg>'
    )


def weeks(days: Mapping[date, int], last: date, count: int, about: str) -> Markup:
    """Days as squares, a column a week, Monday above; `about` tells it in words."""
    first = last - timedelta(days=last.weekday(), weeks=count - 1)
    cells = []
    for n in range((last - first).days + 1):
        made = days.get(first + timedelta(days=n), 0)
        step = min(made, 3) if made < 5 else 4
        ring = ' stroke="currentColor"' if n == (last - first).days else ""
        cells.append(
            f'<rect class="d{step}" x="{n // 7 * 13 + 1}" y="{n % 7 * 13 + 1}" width="11" '
            f'height="11" rx="2"{ring}/>'
        )
    return Markup(
        '<svg class="viz" viewBox="0 0 {} 92" role="img" aria-label="{}">{}</svg>'
    ).format(count * 13 + 1, about, Markup("".join(cells)))


def spread(
    times: Sequence[float], mine: float, about: str, me: str, unit: Callable[[float], str]
) -> Markup:
    """How accepted times are spread, on a log scale, with a line at one's own."""
    low, high = (math.log(max(bound, 0.01)) for bound in (min(*times, mine), max(*times, mine)))
    width = max(high - low, 0.1)
    bins = [0] * 20
    for time in times:
        bins[min(int((math.log(max(time, 0.01)) - low) / width * 20), 19)] += 1
    place = (math.log(max(mine, 0.01)) - low) / width * 400
    own = min(int(place // 20), 19)
    bars = "".join(
        f'<rect class="{"fme" if n == own else "fb"}" x="{n * 20 + 1}" width="18" rx="1.5" '
        f'y="{110 - 88 * made / max(bins):.1f}" height="{88 * made / max(bins):.1f}"/>'
        for n, made in enumerate(bins)
        if made
    )
    anchor = "start" if place < 60 else "end" if place > 340 else "middle"
    return Markup(
        '<svg class="viz" viewBox="0 0 400 128" role="img" aria-label="{}">{}'
        '<path class="axis" d="M0 110.5H400"/><path class="rule" d="M{} 18V110"/>'
        '<text class="strong" x="{}" y="12" text-anchor="{}">{}</text>'
        '<text x="0" y="125">{}</text><text x="400" y="125" text-anchor="end">{}</text></svg>'
    ).format(
        about,
        Markup(bars),
        f"{place:.1f}",
        f"{place:.1f}",
        anchor,
        me,
        unit(math.exp(low)),
        unit(math.exp(low + width)),
    )


def errors(rows: Sequence[Sequence[float | None]], about: str) -> Markup:
    """Errors as a map of five steps on a log scale; None is within the tolerance."""
    wrong = [error for row in rows for error in row if error is not None and math.isfinite(error)]
    low, high = min(wrong, default=1.0), max(wrong, default=1.0)
    cells = "".join(
        _cell(x * 28, y * 22, error, _step(error, low, high))
        for y, row in enumerate(rows)
        for x, error in enumerate(row)
    )
    across, down = 28 * max(map(len, rows)), 22 * len(rows)
    return Markup(
        '<svg class="map" width="{}" height="{}" viewBox="0 0 {} {}" role="img"'
        ' aria-label="{}">{}</svg>'
    ).format(across, down, across, down, about, Markup(cells))


def _cell(x: int, y: int, error: float | None, step: int) -> str:
    made = f'<rect class="h{step}" x="{x}" y="{y}" width="26" height="20" rx="2"/>'
    within = f'<circle class="fb" cx="{x + 13}" cy="{y + 10}" r="1.5"/>'
    return made + (within if error is None else "")


def _step(error: float | None, low: float, high: float) -> int:
    if error is None:
        return 0
    if not math.isfinite(error) or high <= low or error <= 0:
        return 5
    edges = [low * (high / low) ** (n / 5) for n in range(6)]
    return next((n for n, (_, top) in enumerate(pairwise(edges), 1) if error <= top), 5)
