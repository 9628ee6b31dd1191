"""Finds out whether a result shares memory with the arguments it was made from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np
import torch

# A mutable container that is handed back is shared, whatever it holds.
_CONTAINERS = (list, dict, set, bytearray)
_MOST_PARTS = 100_000


def shared_arguments(result: object, arguments: dict[str, Any]) -> list[str]:
    """Return the names of the arguments that share memory with the result.

    Args:
        result: plain values, nested.
        arguments: by name.
    """
    made = list(_parts(result))
    return [name for name, value in arguments.items() if _any_shared(made, list(_parts(value)))]


def _any_shared(made: list[object], given: list[object]) -> bool:
    objects = {id(part) for part in given if isinstance(part, _CONTAINERS)}
    if any(id(part) in objects for part in made if isinstance(part, _CONTAINERS)):
        return True
    spans = sorted({span for part in given if (span := _span(part)) is not None})
    begins = [begin for begin, _ in spans]
    ends = list(accumulate((end for _, end in spans), max))  # of all that begin no later
    for part in made:
        span = _span(part)
        before = 0 if span is None else bisect_left(begins, span[1])
        if span is not None and before and ends[before - 1] > span[0]:
            return True
    return False


def _span(part: object) -> tuple[int, int] | None:
    """First and last address of the storage of a tensor or an array."""
    if isinstance(part, torch.Tensor) and part.layout is torch.strided:
        storage = part.untyped_storage()
        begin, size = storage.data_ptr(), storage.nbytes()
    elif isinstance(part, np.ndarray):
        while isinstance(part.base, np.ndarray):
            part = part.base
        begin, size = part.__array_interface__["data"][0], part.nbytes
    else:
        return None
    return (begin, begin + size) if size else None


def _parts(value: object) -> Iterator[object]:
    """Yield a value and everything in it, each object once."""
    todo: list[object] = [value]
    seen: set[int] = set()
    while todo and len(seen) < _MOST_PARTS:
        part = todo.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, dict):
            todo += part.values()
        elif isinstance(part, list | tuple | set | frozenset):
            todo += part
