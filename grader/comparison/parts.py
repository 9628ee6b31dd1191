"""Tell what is inside two values of kinds that agree: an outcome, or the pairs to visit next.

One function a rule of `docs/comparison.md`; `HANDLERS` says which kind it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from grader.comparison.array_grids import array_cells, array_fields
from grader.comparison.arrays import compare_values, structural_fault
from grader.comparison.exact import EXACT
from grader.comparison.grid import Grid
from grader.comparison.grids import grid_of
from grader.comparison.keys import key_text, numbered
from grader.comparison.kinds import GRIDS, NUMBERS, SETS, Kind, class_name
from grader.comparison.leaves import (
    MATCH,
    Outcome,
    compare_bools,
    compare_bytes,
    compare_exact,
    compare_exceptions,
    compare_numbers,
    compare_raised,
    compare_scalars64,
    compare_sets,
    compare_text,
    same_object,
)
from grader.comparison.plain import (
    elements_of,
    length_of,
    named_fields,
    pairs_of,
    plain_bytes,
    plain_int,
    plain_text,
    record_fields,
)
from grader.comparison.shown import clip, shown, shown_word
from grader.comparison.tensor_grids import nested_parts

# Work allowed, in array elements: 2**28 float64 fill 2 GiB, more than a memory limit leaves room
# for. Equal ones take under a second, different ones about eight.
MAX_WORK: Final = 1 << 28
NODE_WORK: Final = 256  # a Python value costs about as much as so many array elements
_GRID_WORK: Final = 4096  # likewise for a small array


class TooMuch(Exception):
    """The budget is spent or the nesting too deep."""


class Terms:
    """The tolerances of one comparison, and the work it may still do."""

    def __init__(self, atol: float, rtol: float) -> None:
        self.atol = atol
        self.rtol = rtol
        self._work = MAX_WORK

    def spend(self, work: int) -> None:
        """Count work off the budget.

        Raises:
            TooMuch: nothing is left.
        """
        self._work -= work
        if self._work < 0:
            raise TooMuch("large")


class Key(NamedTuple):
    """A step into a dict; its text is made only for a message."""

    key: Any


Step = int | str | Key
Children = Iterator[tuple[Step, Any, Any]]
_Kinds = tuple[Kind, Kind]
_Result = Outcome | Children


def _numbers(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    for value, kind in zip((actual, expected), kinds, strict=True):
        if kind is Kind.INT:
            terms.spend(plain_int(value).bit_length() >> 6)
    return compare_numbers(actual, expected, kinds, terms.atol, terms.rtol)


def _text(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    if kinds[1] is not Kind.TEXT:
        terms.spend(len(plain_bytes(expected)) >> 4)
        return compare_bytes(actual, expected, kinds[1])
    terms.spend(len(plain_text(expected)) >> 2)
    return compare_text(actual, expected)


def _sequence(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    """Rules 11 and 14."""
    kind = kinds[1]
    if kind is Kind.TUPLE:
        wanted = named_fields(expected)
        if wanted is not None and (found := named_fields(actual)) != wanted:
            names = "a tuple without fields" if found is None else f"fields {_listed(found)}"
            return _structural(f"{names} where fields {_listed(wanted)} were expected")
    length, asked = length_of(actual, kind), length_of(expected, kind)
    if length != asked:
        return _structural(f"length {length} where {asked} was expected")
    return zip(range(asked), elements_of(actual, kind), elements_of(expected, kind), strict=False)


def _mapping(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    """Rule 12."""
    found, wanted = _by_key(terms, actual), _by_key(terms, expected)
    for text, (key, _) in wanted.items():
        if text not in found:
            return _structural(f"missing key {shown(key)} where {_keys(expected)} expected")
    for text, (key, _) in found.items():
        if text not in wanted:
            return _structural(f"unexpected key {shown(key)} where {_keys(expected)} expected")
    return ((Key(key), found[text][1], value) for text, (key, value) in wanted.items())


def _by_key(terms: Terms, value: Any) -> dict[str, tuple[Any, Any]]:
    terms.spend(length_of(value, Kind.DICT) * NODE_WORK)
    pairs = list(pairs_of(value))
    return dict(zip(numbered(key_text(key) for key, _ in pairs), pairs, strict=True))


def _keys(value: Any) -> str:
    keys = list(elements_of(value, Kind.DICT))
    if not keys:
        return "no key was"
    listed = shown(keys)[1:-1]
    return f"key {listed} was" if len(keys) == 1 else f"keys {listed} were"


def _sets(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    for value, kind in zip((actual, expected), kinds, strict=True):
        terms.spend(length_of(value, kind) * NODE_WORK)
    return compare_sets(actual, expected, kinds)


def _record(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    """Rule 14 for dataclasses; their own `==` is not called."""
    name, asked = class_name(type(actual)), class_name(type(expected))
    if name != asked:
        return _structural(f"dataclass {shown_word(name)} where {shown_word(asked)} was expected")
    found, wanted = record_fields(actual), record_fields(expected)
    if found.keys() != wanted.keys():
        return _structural(
            f"fields {_listed(tuple(found))} where fields {_listed(tuple(wanted))} were expected"
        )
    return ((f".{shown_word(field)}", found[field], wanted[field]) for field in wanted)


def _listed(names: tuple[str, ...]) -> str:
    return clip(", ".join(shown_word(name) for name in names[:20])) or "(none)"


def _grids(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    terms.spend(_GRID_WORK)
    found, wanted = grid_of(actual), grid_of(expected)
    fault = structural_fault(found, wanted)
    if fault:
        return _structural(fault)
    if wanted.layout == "nested":
        return _parts(nested_parts(found), nested_parts(wanted))
    if wanted.array is not None and wanted.array.dtype.names is not None:
        return _fields(found, wanted)
    terms.spend(max(found.work, wanted.work))
    if wanted.array is not None and wanted.array.dtype.kind in "OT":
        return _cells(found, wanted)
    return compare_values(found, wanted, terms.atol, terms.rtol)


def _parts(found: list[Any], wanted: list[Any]) -> _Result:
    if len(found) != len(wanted):
        return _structural(f"{len(found)} nested tensors where {len(wanted)} were expected")
    return zip(range(len(wanted)), found, wanted, strict=True)


def _fields(found: Grid, wanted: Grid) -> _Result:
    """Rule 15 for structured arrays."""
    pairs = zip(array_fields(found), array_fields(wanted), strict=True)
    return ((f"[{shown(name)}]", left, right) for (name, left), (_, right) in pairs)


def _cells(found: Grid, wanted: Grid) -> _Result:
    """Rule 15 for object arrays."""
    for grid in (found, wanted):
        if grid.mask is not None and grid.mask.any():
            return compare_values(found, wanted, 0.0, 0.0)
    pairs = zip(array_cells(found), array_cells(wanted), strict=True)
    return ((f"[{index}]", left, right) for (index, left), (_, right) in pairs)


def _void(terms: Terms, actual: Any, expected: Any, kinds: _Kinds) -> _Result:
    """A structured scalar counts as an array without axes."""
    pair = np.generic.__array__(actual), np.generic.__array__(expected)
    return _grids(terms, *pair, kinds)


def _structural(fault: str) -> Outcome:
    return Outcome(fault, is_structural=True)


def _leaf(compare_leaf: Callable[[Any, Any, Kind], Outcome]) -> Callable[..., _Result]:
    return lambda terms, actual, expected, kinds: compare_leaf(actual, expected, kinds[1])


def _kindless(compare_leaf: Callable[[Any, Any], Outcome]) -> Callable[..., _Result]:
    return lambda terms, actual, expected, kinds: compare_leaf(actual, expected)


HANDLERS: Final[dict[Kind, Callable[[Terms, Any, Any, _Kinds], _Result]]] = {
    Kind.NONE: lambda *_: MATCH,
    Kind.BOOL: _kindless(compare_bools),
    **dict.fromkeys(NUMBERS, _numbers),
    **dict.fromkeys((Kind.TEXT, Kind.BYTES, Kind.BYTEARRAY), _text),
    **dict.fromkeys((Kind.TUPLE, Kind.LIST, Kind.DEQUE), _sequence),
    Kind.DICT: _mapping,
    **dict.fromkeys(SETS, _sets),
    Kind.RECORD: _record,
    **dict.fromkeys(GRIDS, _grids),
    Kind.VOID: _void,
    **dict.fromkeys((Kind.DATETIME64, Kind.TIMEDELTA64), _leaf(compare_scalars64)),
    **dict.fromkeys(EXACT, _leaf(compare_exact)),
    Kind.EXCEPTION: _kindless(compare_exceptions),
    Kind.RAISED: _kindless(compare_raised),
    Kind.OTHER: _kindless(same_object),
}
