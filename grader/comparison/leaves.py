"""Compare two values that hold no others: numbers, text, exact values, sets, exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from grader.comparison.closeness import (
    complex_distance,
    int_distance,
    is_complex_close,
    is_real_close,
    real_distance,
    to_float,
)
from grader.comparison.exact import exactly_equal
from grader.comparison.keys import key_text, numbered
from grader.comparison.kinds import Kind, has_base
from grader.comparison.plain import (
    elements_of,
    exception_value,
    plain_bool,
    plain_bytes,
    plain_complex,
    plain_float,
    plain_int,
    plain_text,
    raised_value,
)
from grader.comparison.shown import clip, shown, shown_int, shown_text, shown_type, shown_word
from grader.values import ExceptionValue


@dataclass(frozen=True)
class Outcome:
    """How two values compare.

    Attributes:
        fault: what is wrong: "shape (3, 1) where (3,) was expected"; "" on a match.
        detail: what to say after the place: differences and tolerance.
        is_structural: kinds, lengths, keys, shapes or dtypes differ; there is no distance.
        index: text of the first mismatch's index inside an array, "" if it has none.
        max_diff: largest distance, None where the values have none.
    """

    fault: str = ""
    detail: str = ""
    is_structural: bool = False
    index: str = ""
    max_diff: float | None = None


MATCH: Final = Outcome()
# Default relative tolerance of torch.testing.assert_close for float16 (rule 5).
_HALF_RTOL: Final = 1e-3


def compare_numbers(
    actual: Any, expected: Any, kinds: tuple[Kind, Kind], atol: float, rtol: float
) -> Outcome:
    """Compare an int, float or complex with a number at least as wide (rules 3 to 6)."""
    if kinds == (Kind.INT, Kind.INT):
        return _compare_ints(plain_int(actual), plain_int(expected))
    if has_base(expected, np.float16):
        rtol = max(rtol, _HALF_RTOL)
    if kinds[1] is Kind.FLOAT:
        found = _as_real(actual, kinds[0])
        wanted = plain_float(expected)
        distance = real_distance(found, wanted)
        if is_real_close(found, wanted, atol, rtol):
            return Outcome(max_diff=distance)
        size = abs(wanted)
    else:
        number = (
            plain_complex(actual)
            if kinds[0] is Kind.COMPLEX
            else complex(_as_real(actual, kinds[0]))
        )
        target = plain_complex(expected)
        distance = complex_distance(number, target)
        if is_complex_close(number, target, atol, rtol):
            return Outcome(max_diff=distance)
        size = complex_distance(target, 0j)
    return Outcome(
        f"{shown(actual)} where {shown(expected)} was expected",
        f"difference {distance:.6g}, tolerance {atol + rtol * size:.6g}",
        max_diff=distance,
    )


def _as_real(value: Any, kind: Kind) -> float:
    return to_float(plain_int(value)) if kind is Kind.INT else plain_float(value)


def _compare_ints(actual: int, expected: int) -> Outcome:
    if actual == expected:
        return Outcome(max_diff=0.0)
    return Outcome(
        f"{shown_int(actual)} where {shown_int(expected)} was expected",
        f"difference {shown_int(abs(actual - expected))}, tolerance none, ints are exact",
        max_diff=int_distance(actual, expected),
    )


def compare_bools(actual: Any, expected: Any) -> Outcome:
    """Compare two truth values."""
    found, wanted = plain_bool(actual), plain_bool(expected)
    return MATCH if found is wanted else Outcome(f"{found} where {wanted} was expected")


def compare_text(actual: Any, expected: Any) -> Outcome:
    """Compare two strings, exactly (rule 10)."""
    found, wanted = plain_text(actual), plain_text(expected)
    if found == wanted:
        return MATCH
    place = _common_prefix(found, wanted)
    # Far into a long text, show the part that differs.
    start = max(0, place - 20) if max(len(found), len(wanted)) > 60 else 0
    window = slice(start, start + 60)
    return Outcome(
        f"str {shown_text(found[window])} where {shown_text(wanted[window])} was expected",
        f"first difference at character {place}, lengths {len(found)} and {len(wanted)}",
    )


def compare_bytes(actual: Any, expected: Any, kind: Kind) -> Outcome:
    """Compare two byte strings, exactly (rule 10)."""
    found, wanted = plain_bytes(actual), plain_bytes(expected)
    if found == wanted:
        return MATCH
    return Outcome(
        f"{kind.value} {shown(found)} where {shown(wanted)} was expected",
        f"first difference at byte {_common_prefix(found, wanted)}, "
        f"lengths {len(found)} and {len(wanted)}",
    )


def _common_prefix(left: Any, right: Any) -> int:
    """Return the length of the common prefix, by bisection: a loop over characters is slow."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def compare_exact(actual: Any, expected: Any, kind: Kind) -> Outcome:
    """Compare decimals, fractions, dates, dtypes and classes (rule 16)."""
    if exactly_equal(actual, expected, kind):
        return MATCH
    return Outcome(f"{kind.value} {shown(actual)} where {shown(expected)} was expected")


def compare_scalars64(actual: Any, expected: Any, kind: Kind) -> Outcome:
    """Compare `np.datetime64`, `np.timedelta64` or void scalars of equal dtype; NaT equals NaT."""
    found, wanted = np.generic.__array__(actual), np.generic.__array__(expected)
    if kind is not Kind.VOID and bool(np.isnat(found) & np.isnat(wanted)):
        return MATCH
    if bool((found == wanted).all()):
        return MATCH
    return Outcome(f"{kind.value} {shown(actual)} where {shown(expected)} was expected")


def compare_sets(actual: Any, expected: Any, kinds: tuple[Kind, Kind]) -> Outcome:
    """Compare the members of two sets, exactly (rule 13)."""
    found, wanted = (
        _members(value, kind) for value, kind in zip((actual, expected), kinds, strict=True)
    )
    missing = [member for text, member in wanted.items() if text not in found]
    extra = [member for text, member in found.items() if text not in wanted]
    if not missing and not extra:
        return MATCH
    said = [
        f"{shown(members[0])} is {word}" + (f" and {len(members) - 1} more" if members[1:] else "")
        for members, word in ((missing, "missing"), (extra, "unexpected"))
        if members
    ]
    return Outcome(f"{shown(actual)} where {shown(expected)} was expected", "; ".join(said))


def _members(value: Any, kind: Kind) -> dict[str, Any]:
    members = list(elements_of(value, kind))
    return dict(zip(numbered(map(key_text, members)), members, strict=True))


def compare_raised(actual: Any, expected: Any) -> Outcome:
    """Compare two raised exceptions: a subclass that says at least as much (rule 17)."""
    found, wanted = raised_value(actual), raised_value(expected)
    if wanted.type_name not in found.type_names:
        return Outcome(
            f"{_named(found)} raised where {shown_word(wanted.type_name)} was expected",
            is_structural=True,
        )
    if wanted.message not in found.message:
        return Outcome(
            f"{_named(found)} raised where a message with {shown_text(wanted.message)} was expected"
        )
    return MATCH


def compare_exceptions(actual: Any, expected: Any) -> Outcome:
    """Compare two returned exceptions by the name of the type and the message."""
    found, wanted = exception_value(actual), exception_value(expected)
    if found.type_name == wanted.type_name and found.message == wanted.message:
        return MATCH
    return Outcome(f"{_named(found)} returned where {_named(wanted)} was expected")


def _named(value: ExceptionValue) -> str:
    return f"{shown_word(value.type_name)}({shown_text(clip(value.message))})"


def same_object(actual: Any, expected: Any) -> Outcome:
    """Compare values of unknown classes: nothing but identity can be trusted."""
    if actual is expected:
        return MATCH
    name = shown_type(expected)
    return Outcome(f"{name} object where only plain values can be compared", is_structural=True)
