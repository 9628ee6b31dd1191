"""Say how to turn what was returned into the kind that was expected."""

from __future__ import annotations

from typing import Any, Final

from grader.compare import compare
from grader.comparison.grids import grid_of
from grader.comparison.hint_numbers import Pair, numbers_of
from grader.comparison.kinds import GRIDS, NUMBERS, SEQUENCES, Kind, kind_of
from grader.comparison.plain import elements_of, length_of, named_fields
from grader.comparison.shown import shown_type, shown_word

_WORDS: Final = {
    (Kind.ARRAY, Kind.TENSOR): "A NumPy array was returned: call torch.from_numpy() on it.",
    (Kind.TENSOR, Kind.ARRAY): "A tensor was returned: call .numpy() on it.",
    (Kind.TENSOR, Kind.LIST): "A tensor was returned: call .tolist() on it.",
    (Kind.ARRAY, Kind.LIST): "A NumPy array was returned: call .tolist() on it.",
    (Kind.LIST, Kind.SET): "A list was returned: call set() on it.",
    (Kind.SET, Kind.LIST): "A set was returned, which has no order: a list is expected.",
    (Kind.BYTES, Kind.TEXT): "Bytes were returned: call .decode() on them.",
    (Kind.TEXT, Kind.BYTES): "A str was returned: call .encode() on it.",
    (Kind.COMPLEX, Kind.FLOAT): "A complex number was returned: take .real or abs() of it.",
    (Kind.INT, Kind.BOOL): "An int was returned: call bool() on it.",
    (Kind.BOOL, Kind.INT): "A bool was returned: call int() on it.",
    (Kind.BOOL, Kind.FLOAT): "A bool was returned: call float() on it.",
}


def hint_of_kinds(actual: Any, expected: Any, atol: float, rtol: float) -> str | None:
    """Return advice when the kinds differ, or only the dtype or layout; None otherwise."""
    found, wanted = kind_of(actual), kind_of(expected)
    if found in GRIDS and found is wanted:
        return _grid_hint(actual, expected, found, (atol, rtol))
    if found is wanted:
        return _fields_hint(actual, expected) if found is Kind.TUPLE else None
    if found is Kind.RAISED or wanted is Kind.RAISED:
        return None
    if found is Kind.NONE:
        return "None was returned: perhaps a return statement is missing."
    if found in GRIDS and (wanted in NUMBERS or wanted is Kind.BOOL):
        return _item_hint(actual, found)
    if found in SEQUENCES and wanted in SEQUENCES:
        return _sequence_hint(actual, expected, (found, wanted), (atol, rtol))
    if found in SEQUENCES and length_of(actual, found) == 1 and wanted in NUMBERS:
        comma = " (a stray comma makes a tuple)" if found is Kind.TUPLE else ""
        return f"A number is expected, not a {found.value} that holds one{comma}."
    if wanted in GRIDS:
        return _to_grid_hint(actual, found, wanted) or _WORDS.get((found, wanted))
    if found is Kind.FLOAT and wanted is Kind.INT:
        return "A float was returned: an int is expected, so use // or int()."
    if found in (Kind.OTHER, Kind.RANGE) and wanted in (Kind.LIST, Kind.TUPLE, Kind.SET):
        name = shown_type(actual, found)
        return f"A {name} is not a {wanted.value}: call {wanted.value}() on it."
    return _WORDS.get((found, wanted))


def _item_hint(actual: Any, found: Kind) -> str | None:
    if grid_of(actual).size != 1:
        return None
    return f"A {found.value} that holds one number was returned: call .item() on it."


def _sequence_hint(
    actual: Any, expected: Any, kinds: tuple[Kind, Kind], tolerances: tuple[float, float]
) -> str | None:
    found, wanted = kinds
    advice = f"a {found.value} was returned: call {wanted.value}() on it."
    if wanted is Kind.TUPLE and named_fields(expected) is not None:
        return None
    ours, theirs = list(elements_of(actual, found)), list(elements_of(expected, wanted))
    if compare(ours, theirs, *tolerances).match:
        return f"The values are right, but {advice}"
    return advice[0].upper() + advice[1:]


def _fields_hint(actual: Any, expected: Any) -> str | None:
    names = named_fields(expected)
    if names is None or named_fields(actual) == names:
        return None
    listed = ", ".join(shown_word(name) for name in names[:10])
    return f"A namedtuple is expected, with the fields {listed}."


def _to_grid_hint(actual: Any, found: Kind, wanted: Kind) -> str | None:
    library, make = ("torch", "tensor") if wanted is Kind.TENSOR else ("np", "array")
    if found in NUMBERS or found is Kind.BOOL:
        call = f"{library}.{make}()"
        return f"A number was returned, a 0-d {wanted.value} is expected: call {call} on it."
    if found not in SEQUENCES:
        return None
    holds_grids = any(kind_of(part) in GRIDS for part in list(elements_of(actual, found))[:1])
    function = "stack" if holds_grids else make
    return f"A {found.value} was returned: call {library}.{function}() on it."


def _grid_hint(
    actual: Any, expected: Any, kind: Kind, tolerances: tuple[float, float]
) -> str | None:
    found, wanted = grid_of(actual), grid_of(expected)
    if found.layout != wanted.layout:
        if wanted.layout == "dense" and found.layout.startswith("sparse"):
            return "A sparse tensor was returned: call .to_dense() on it."
        return None
    if found.dtype == wanted.dtype or found.shape != wanted.shape:
        return None
    ours, theirs = numbers_of(actual), numbers_of(expected)
    if ours is None or theirs is None or not Pair(ours, theirs, *tolerances).explains(ours):
        return None
    name = f"torch.{wanted.dtype}" if kind is Kind.TENSOR else f"np.{wanted.dtype}"
    convert = f".to({name})" if kind is Kind.TENSOR else f".astype({name})"
    return f"The values are right, but the dtype is {found.dtype}: call {convert} on them."
