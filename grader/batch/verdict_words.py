"""The words, letters, families and order in which reports of a batch name what became of it."""

from __future__ import annotations

from typing import Final

from grader.report import Verdict

# In the order of columns and legends: good, wrong, broken, limits, not allowed, ours, no report.
LETTERS: Final[dict[str, str]] = {
    Verdict.ACCEPTED: "AC",
    Verdict.WRONG_ANSWER: "WA",
    Verdict.RUNTIME_ERROR: "RTE",
    Verdict.TIME_LIMIT_EXCEEDED: "TLE",
    Verdict.MEMORY_LIMIT_EXCEEDED: "MLE",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "OLE",
    Verdict.FORBIDDEN: "RF",
    Verdict.SECURITY_VIOLATION: "SV",
    Verdict.INVALID_SUBMISSION: "CE",
    Verdict.INTERNAL_ERROR: "IE",
    # Kinds of a fault: nothing was judged, so no letters of a verdict.
    "unknown_problem": "–",
    "unreadable": "–",
    "malformed": "–",
    "duplicate_id": "–",
}
NOT_JUDGED_LETTERS: Final = "–"

FAMILIES: Final[dict[str, str]] = {
    Verdict.ACCEPTED: "ok",
    Verdict.WRONG_ANSWER: "wrong",
    Verdict.RUNTIME_ERROR: "fault",
    Verdict.INVALID_SUBMISSION: "fault",
    Verdict.TIME_LIMIT_EXCEEDED: "limit",
    Verdict.MEMORY_LIMIT_EXCEEDED: "limit",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "limit",
    Verdict.FORBIDDEN: "stop",
    Verdict.SECURITY_VIOLATION: "stop",
}
OURS: Final = "ours"  # internal errors and faults: nothing was found out about the submission

_WORST_FIRST: Final = (
    Verdict.SECURITY_VIOLATION,
    Verdict.INTERNAL_ERROR,
    "",  # a fault: nobody knows what it would have been
    Verdict.FORBIDDEN,
    Verdict.INVALID_SUBMISSION,
    Verdict.RUNTIME_ERROR,
    Verdict.MEMORY_LIMIT_EXCEEDED,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT_EXCEEDED,
    Verdict.WRONG_ANSWER,
    Verdict.ACCEPTED,
)
_RANKS: Final[dict[str, int]] = {str(name): rank for rank, name in enumerate(_WORST_FIRST)}


def letters(verdict: str) -> str:
    """Return the short form of a verdict, or a dash for a fault's kind."""
    return LETTERS.get(verdict, NOT_JUDGED_LETTERS)


def family(verdict: str) -> str:
    """Return "ok", "wrong", "fault", "limit", "stop" or "ours": what colour and shape follow."""
    return FAMILIES.get(verdict, OURS)


def words(verdict: str) -> str:
    """Return a verdict as people write it.

    Example:
        >>> words("time_limit_exceeded")
        'time limit exceeded'
    """
    return verdict.replace("_", " ")


def rank(verdict: str) -> int:
    """Return the place of a verdict, or of a fault's kind, among all, worst first.

    A security violation leads, since somebody should look. What was not judged comes next, since
    it may hide anything. Then what never ran, what broke, what hit a limit, and what was wrong.
    """
    return _RANKS.get(verdict, _RANKS[""])


def in_order(verdicts: dict[str, int]) -> list[tuple[str, int]]:
    """Return counts in the order of legends; kinds this version does not know come last."""
    known = [(str(name), verdicts[name]) for name in LETTERS if verdicts.get(name)]
    return known + sorted(item for item in verdicts.items() if item[0] not in LETTERS)
