"""Decide whether a result matches the expected one, and say what is wrong if not.

The rules are those of `docs/comparison.md`; numbers in docstrings refer to them. Kind,
length or keys, shape and dtype come before values: a structural fault anywhere ends the walk and
is the one reported, a value fault is reported if the structures agree throughout.

Values are judged by their base's plain content and may be hostile: a fixed budget of work bounds
cyclic, shared and huge ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from grader.comparison.keys import KeyTooComplex
from grader.comparison.kinds import NUMBERS, SETS, Kind, kind_of
from grader.comparison.leaves import Outcome
from grader.comparison.loosen import loosened
from grader.comparison.parts import HANDLERS, NODE_WORK, Children, Step, Terms, TooMuch
from grader.comparison.plain import raised_value
from grader.comparison.shown import clip, described, shown, shown_type, shown_word

MAX_MESSAGE: Final = 2000  # characters
MAX_DEPTH: Final = 500  # containers inside containers; honest results stay under ten
_MAX_PATH: Final = 300  # characters
_MAX_TRAIL: Final = 10  # containers; hints look no deeper


@dataclass(frozen=True)
class Comparison:
    """The result of comparing two values.

    Attributes:
        match: whether they agree.
        message: what was found, what was expected and where; "" on a match.
        max_diff: largest absolute difference of all numbers, 0.0 if there is none; nan if one
            side alone has a NaN; None if structures differ, or nothing numeric differs.
        where: path of the first mismatch, `output[2]['loss']` or `output at index (1, 3)`;
            None on a match.
    """

    match: bool
    message: str
    max_diff: float | None
    where: str | None


def compare_outputs(
    actual: object, expected: object, atol: float, rtol: float
) -> tuple[bool, str, float | None]:
    """Compare a result with the expected one; never raises.

    Args:
        actual: the submission's result, of any type.
        expected: the reference's result.
        atol: absolute tolerance.
        rtol: tolerance relative to the expected value.

    Returns:
        Whether they match, a message ("" on a match), and the largest difference as in
        `Comparison.max_diff`.

    Example:
        >>> compare_outputs([1.0], (1.0,), atol=1e-4, rtol=1e-4)
        (False, 'list of length 1 where tuple was expected at output', None)
    """
    result = compare(actual, expected, atol, rtol)
    return result.match, result.message, result.max_diff


def compare(
    actual: object,
    expected: object,
    atol: float,
    rtol: float,
    loosen: frozenset[str] = frozenset(),
) -> Comparison:
    """Compare a result with the expected one, and tell where they part.

    Args and rules as for `compare_outputs`.
        loosen: names of rules that do not hold, as in `loosen.RULES`.
    """
    walk = _Walk(atol, rtol, loosen)
    walk.judge(actual, expected)
    return walk.result()


def trail(
    actual: object,
    expected: object,
    atol: float,
    rtol: float,
    loosen: frozenset[str] = frozenset(),
) -> list[tuple[str, object, object]]:
    """Return the path and both values of every container down to the first mismatch.

    Empty if the values match. For those who explain a mismatch, such as `hints.py`.
    """
    walk = _Walk(atol, rtol, loosen)
    walk.judge(actual, expected)
    return walk.trail


class _Walk:
    """One comparison in progress: depth first, with a stack of its own.

    Python's stack would overflow on nesting that costs a submission nothing to build.
    """

    def __init__(self, atol: float, rtol: float, loosen: frozenset[str]) -> None:
        self._terms = Terms(atol, rtol)
        self._loosen = loosen
        self._steps: list[Step] = []
        self._max_diff: float | None = None
        self._fault: tuple[str, str] | None = None  # message, where
        self._stopped = False
        self._pairs: list[tuple[Any, Any]] = []
        self.trail: list[tuple[str, object, object]] = []

    def judge(self, actual: object, expected: object) -> None:
        """Walk both values to a verdict, whatever they are."""
        try:
            self._run(actual, expected)
        except TooMuch as reason:
            self._stop(f"a value too {reason} to compare")
        except KeyTooComplex as reason:
            self._stop(str(reason))
        except Exception as fault:
            # Foreign values may break even a base's own methods; they then match nothing.
            self._stop(f"a value that cannot be compared ({type(fault).__name__})")

    def _run(self, actual: object, expected: object) -> None:
        """Visit all pairs of values until a structural fault."""
        stack: list[Children] = [iter([("output", actual, expected)])]
        self._steps.append("")
        self._pairs.append((actual, expected))
        while stack and not self._stopped:
            for self._steps[-1], found, wanted in stack[-1]:
                self._pairs[-1] = (found, wanted)
                children = self._visit(found, wanted)
                if children is not None:
                    if len(stack) >= MAX_DEPTH:
                        raise TooMuch("deep")
                    stack.append(children)
                    self._steps.append("")
                    self._pairs.append((None, None))
                    break
                if self._stopped:
                    break
            else:
                stack.pop()
                self._steps.pop()
                self._pairs.pop()

    def result(self) -> Comparison:
        """Return what the walk has found."""
        if self._fault is None:
            return Comparison(True, "", self._max_diff or 0.0, None)
        message, where = self._fault
        max_diff = None if self._stopped else self._max_diff
        return Comparison(False, clip(message, MAX_MESSAGE), max_diff, where)

    def _stop(self, fault: str) -> None:
        """Record a structural fault, which outranks any difference of values."""
        self._fault = self._located(Outcome(fault))
        self._stopped = True

    def _visit(self, actual: Any, expected: Any) -> Children | None:
        """Compare two values themselves; return what is inside them."""
        self._terms.spend(NODE_WORK)
        if type(actual) is float and type(expected) is float and actual == expected:
            self._max_diff = self._max_diff or 0.0
            return None
        if self._loosen:
            actual, expected = loosened(self._loosen, actual, expected)
        found, wanted = kind_of(actual), kind_of(expected)
        if found is not wanted and not _may_stand_for(found, wanted):
            self._stop(_kind_fault(actual, found, expected, wanted))
            return None
        result = HANDLERS[wanted](self._terms, actual, expected, (found, wanted))
        if isinstance(result, Outcome):
            self._record(result)
            return None
        return result

    def _record(self, outcome: Outcome) -> None:
        if outcome.is_structural:
            self._stop(outcome.fault)
            return
        new = outcome.max_diff
        if new is not None:
            seen = self._max_diff
            self._max_diff = new if seen is None or new > seen or math.isnan(new) else seen
        if outcome.fault and self._fault is None:
            self._fault = self._located(outcome)

    def _located(self, outcome: Outcome) -> tuple[str, str]:
        texts = [_step_text(step) for step in self._steps]
        self.trail = [
            (clip("".join(texts[: depth + 1]), _MAX_PATH), *pair)
            for depth, pair in enumerate(self._pairs[:_MAX_TRAIL])
        ]
        path = clip("".join(texts), _MAX_PATH)
        detail = f": {outcome.detail}" if outcome.detail else ""
        where = f"{path} at index {outcome.index}" if outcome.index else path
        return f"{outcome.fault} at {path}{detail}", where


def _step_text(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return step if isinstance(step, str) else f"[{shown(step.key, 40)}]"


def _may_stand_for(found: Kind, wanted: Kind) -> bool:
    """Tell whether one kind is admitted for another: a narrower number, a frozenset (3, 13)."""
    if found in SETS and wanted in SETS:
        return True
    if wanted is Kind.FLOAT:
        return found is Kind.INT
    return wanted is Kind.COMPLEX and found in NUMBERS


def _kind_fault(actual: Any, found: Kind, expected: Any, wanted: Kind) -> str:
    if wanted is Kind.RAISED:
        name = shown_word(raised_value(expected).type_name)
        return f"{described(actual, found)} returned where {name} was expected to be raised"
    return f"{described(actual, found)} where {shown_type(expected, wanted)} was expected"
