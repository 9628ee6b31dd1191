"""Bring two values together where a problem loosens a rule of the comparison, by its name.

What is loosened is changed before the common rules look at it: a 0-d tensor becomes its number,
axes of length 1 go. All other rules then hold as ever.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import torch

from grader.comparison.kinds import GRIDS, NUMBERS, SEQUENCES, Kind, kind_of
from grader.comparison.plain import elements_of, named_fields, plain_complex, plain_float, plain_int

# As `schemas/problem.schema.json` names them.
RULES: Final = frozenset(
    {"kinds", "widening", "exact_ints", "shapes", "dtypes", "layout", "sequence_types", "records"}
)
_MOST_DENSE = 1 << 26  # elements; a larger sparse tensor stays as it is


def loosened(rules: frozenset[str], actual: Any, expected: Any) -> tuple[Any, Any]:
    """Return both values as the common rules shall see them.

    Args:
        rules: names of the rules that are loosened.
    """
    found, wanted = kind_of(actual), kind_of(expected)
    if found in GRIDS and wanted in (*NUMBERS, Kind.BOOL) and "kinds" in rules:
        actual = _number(actual)
        found = kind_of(actual)
    if found in NUMBERS and wanted in NUMBERS:
        return _numbers(rules, actual, expected, (found, wanted))
    if found in SEQUENCES and wanted in SEQUENCES:
        return _sequences(rules, actual, expected, (found, wanted))
    if found is wanted and found in GRIDS:
        return _grids(rules, actual, expected)
    return actual, expected


def _number(value: Any) -> Any:
    plain = _plain_grid(value)
    return plain.item() if plain.ndim == 0 and not _is_sparse(plain) else value


def _numbers(
    rules: frozenset[str], actual: Any, expected: Any, kinds: tuple[Kind, Kind]
) -> tuple[Any, Any]:
    found, wanted = kinds
    if "widening" in rules:
        if found is Kind.COMPLEX and wanted is not Kind.COMPLEX:
            number = plain_complex(actual)
            if number.imag == 0:
                actual, found = number.real, Kind.FLOAT
        if found is Kind.FLOAT and wanted is Kind.INT:
            real = plain_float(actual)
            if math.isfinite(real) and real == int(real):
                actual, found = int(real), Kind.INT
    if "exact_ints" in rules and found is wanted is Kind.INT:
        near = float(plain_int(actual)), float(plain_int(expected))
        return near if all(map(math.isfinite, near)) else (actual, expected)
    return actual, expected


def _sequences(
    rules: frozenset[str], actual: Any, expected: Any, kinds: tuple[Kind, Kind]
) -> tuple[Any, Any]:
    found, wanted = kinds
    if found is not wanted and "sequence_types" in rules:
        return list(elements_of(actual, found)), list(elements_of(expected, wanted))
    if found is wanted is Kind.TUPLE and "records" in rules and named_fields(actual) is None:
        return actual, tuple(elements_of(expected, wanted))
    return actual, expected


def _grids(rules: frozenset[str], actual: Any, expected: Any) -> tuple[Any, Any]:
    ours, theirs = _plain_grid(actual), _plain_grid(expected)
    if "layout" in rules:
        ours, theirs = _dense(ours), _dense(theirs)
    if _is_sparse(ours) or _is_sparse(theirs):
        return ours, theirs
    if "shapes" in rules:
        ours, theirs = ours.squeeze(), theirs.squeeze()
    if "dtypes" in rules and ours.dtype != theirs.dtype:
        ours, theirs = _one_dtype(ours, theirs)
    if "exact_ints" in rules and ours.dtype == theirs.dtype and _family(ours) == "int":
        ours, theirs = _as_float64(ours), _as_float64(theirs)
    return ours, theirs


def _plain_grid(value: Any) -> Any:
    """The array or tensor as its base's plain value, whatever its class overrides."""
    if kind_of(value) is Kind.TENSOR:
        plain = value
        if type(value) is not torch.Tensor:  # a sparse tensor cannot be cast, and need not be
            plain = torch.Tensor.as_subclass(value, torch.Tensor)
        return plain.detach()
    return value if isinstance(value, np.ma.MaskedArray) else np.ndarray.view(value, np.ndarray)


def _is_sparse(grid: Any) -> bool:
    return isinstance(grid, torch.Tensor) and grid.layout is not torch.strided


def _dense(grid: Any) -> Any:
    if not _is_sparse(grid) or grid.is_nested or math.prod(grid.shape) > _MOST_DENSE:
        return grid
    return grid.to_dense()


def _family(grid: Any) -> str:
    """bool, int, float, complex, or another name that no other dtype shares."""
    if isinstance(grid, torch.Tensor):
        if grid.dtype.is_complex:
            return "complex"
        if grid.dtype.is_floating_point:
            return "float"
        return "bool" if grid.dtype is torch.bool else "int"
    kind = grid.dtype.kind
    return {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}.get(
        kind, str(grid.dtype)
    )


def _one_dtype(ours: Any, theirs: Any) -> tuple[Any, Any]:
    if _family(ours) != _family(theirs):
        return ours, theirs
    if isinstance(ours, torch.Tensor):
        try:
            wide = torch.promote_types(ours.dtype, theirs.dtype)
        except RuntimeError:  # unsigned kinds that torch does not promote
            return ours, theirs
        return ours.to(wide), theirs.to(wide)
    common = np.result_type(ours.dtype, theirs.dtype)
    return ours.astype(common), theirs.astype(common)


def _as_float64(grid: Any) -> Any:
    if isinstance(grid, torch.Tensor):
        return grid.to(torch.float64)
    return grid.astype(np.float64)
