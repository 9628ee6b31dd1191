"""Recognise a near miss and say it in one sentence: transposed, n for n - 1, wrong axis.

A hint is a guess for a learner and decides nothing. It is given only where the guess explains
every element within the tolerance, so that random numbers earn none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.compare import trail
from grader.comparison.hint_kinds import hint_of_kinds
from grader.comparison.hint_numbers import Pair, numbers_of
from grader.comparison.hint_rules import RULES
from grader.comparison.kinds import Kind, kind_of


def find_hint(
    actual: object,
    expected: object,
    atol: float,
    rtol: float,
    loosen: frozenset[str] = frozenset(),
) -> str | None:
    """Return one helpful sentence about a mismatch, None if no near miss is recognised.

    Args:
        actual: the submission's result.
        expected: the reference's result.
        atol: absolute tolerance of the comparison.
        rtol: tolerance relative to the expected value.
        loosen: names of rules that do not hold.

    Example:
        >>> find_hint([3.0, 2.0, 1.0], [1.0, 2.0, 3.0], 1e-4, 1e-4)
        'The values are in reverse order.'
    """
    try:
        with np.errstate(all="ignore"):
            for path, found, wanted in trail(actual, expected, atol, rtol, loosen):
                hint = _hint_of(path, found, wanted, (atol, rtol))
                if hint is not None:
                    return hint
            return None
    except Exception:
        # Foreign values may break even a base's own methods; a hint is not worth a fault.
        return None


def _hint_of(path: str, actual: Any, expected: Any, tolerances: tuple[float, float]) -> str | None:
    """Return a hint for two values, not for what is inside them."""
    hint = hint_of_kinds(actual, expected, *tolerances)
    if hint is None and _agree_in_kind(actual, expected):
        hint = _numeric_hint(actual, expected, tolerances)
    return hint if hint is None or path == "output" else f"At {path}: {hint}"


def _agree_in_kind(actual: Any, expected: Any) -> bool:
    found, wanted = kind_of(actual), kind_of(expected)
    return found is wanted or (found is Kind.INT and wanted is Kind.FLOAT)


def _numeric_hint(actual: Any, expected: Any, tolerances: tuple[float, float]) -> str | None:
    found, wanted = numbers_of(actual), numbers_of(expected)
    if found is None or wanted is None:
        return None
    pair = Pair(found, wanted, *tolerances)
    if pair.explains(found):
        return None
    return next((hint for rule in RULES if (hint := rule(pair)) is not None), None)
