"""Keys chosen by a stranger: refuse those that would make a hash table slow.

The hashes of Python's numbers, tuples and frozensets are no secret, so a stranger can choose
keys that share a hash, which are then compared with one another, or keys that follow one
another through the same slots of the table. Either takes time that grows with the square
of their number. Hashes of text are salted and cannot be chosen.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from grader.wire import Decoder, WireError

# Comparisons of keys of one hash in one value, each of 20 to 100 ns. All offsets in
# {-2, ..., 2} to the seventh power, where -1 and -2 share a hash, take seven million.
_MAX_WORK = 1 << 24
# Tables up to this size are quick however their keys were chosen: a million keys in such
# tables take about a second.
_SMALL = 1 << 10
# Steps a key beyond its first slot. Honest keys take up to 2, the floats i / 1024 take 11.
_MAX_STEPS = 24
# Steps of one key. Honest ones take up to 200, in a table of a million.
_MAX_WAY = 2_000
# As in CPython's Objects/dictobject.c: slot = 5 * slot + perturb + 1.
_PERTURB_SHIFT, _FIVE, _ONE = np.uint64(5), np.uint64(5), np.uint64(1)


def refuse_slow_keys(decoder: Decoder, keys: list[Any]) -> None:
    """Check keys before a table is made of them.

    Raises:
        WireError: they were chosen to be slow.
        TypeError: one has no hash.
    """
    if len(keys) < 2 or set(map(type, keys)) == {str}:
        return
    hashes = [*map(hash, keys)]
    if len(keys) > _SMALL:
        unique, first = np.unique(np.array(hashes, np.int64), return_index=True)
        _refuse_long_ways(unique[np.argsort(first)].view(np.uint64))
    # No table of hashes is made before those were found to be quick.
    counts = Counter(hashes)
    if len(counts) < len(keys):
        shared = ((key, counts[code]) for key, code in zip(keys, hashes, strict=True))
        decoder.key_work += sum(count * _cost(key) for key, count in shared if count > 1)
        if decoder.key_work > _MAX_WORK:
            raise WireError("keys that share a hash")


def _refuse_long_ways(hashes: Any) -> None:
    """Fill the tables that grow on the way to the last, and those others may make of the keys.

    The latter have between 3/2 and 8 times as many slots as there are keys.
    """
    size = _SMALL
    while size <= 8 * len(hashes):
        placed = hashes[: 2 * size // 3]
        if not _fill_table(placed, size, _MAX_STEPS * len(placed)):
            raise WireError("keys that collide")
        size *= 2


def _fill_table(hashes: Any, size: int, max_steps: int) -> bool:
    """Place keys as CPython does, all at once; one that finds its slot taken goes on.

    Args:
        hashes: shape (keys,), uint64.
        size: slots of the table, a power of two.
        max_steps: how many all keys may take together.

    Returns:
        Whether all were placed within that many steps, and `_MAX_WAY` for each.
    """
    mask = np.uint64(size - 1)
    taken = np.zeros(size, np.bool_)
    owner = np.zeros(size, np.int32)
    slot, perturb = hashes & mask, hashes
    for _ in range(_MAX_WAY):
        number = np.arange(len(slot), dtype=np.int32)
        owner[slot] = number  # the last of those that want a slot has it
        waits = taken[slot] | (owner[slot] != number)
        taken[slot] = True
        slot, perturb = slot[waits], perturb[waits] >> _PERTURB_SHIFT
        slot = (slot * _FIVE + perturb + _ONE) & mask
        max_steps -= len(slot)
        if not len(slot) or max_steps < 0:
            break
    return not len(slot)


def _cost(key: Any) -> int:
    """Bound the comparisons of parts that one `==` with a key of the same hash takes."""
    kind = type(key)
    if issubclass(kind, tuple):
        return 1 + sum(_cost(part) for part in key)
    if kind is frozenset:
        # Each member is sought in the other set, among those that share its hash there.
        counts = Counter(map(hash, key))
        return 1 + sum(counts[hash(member)] * _cost(member) for member in key)
    if kind is int:
        return 1 + (int.bit_length(key) >> 12)
    return 64 if kind is Decimal or kind is Fraction else 4
