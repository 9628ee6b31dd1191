"""Tables of whole numbers in flat arrays: a million entries in 32 MB, where a dict takes 200."""

from __future__ import annotations

from array import array
from hashlib import blake2b

_EMPTY = 0
_FULL = 0.6  # of the places taken before the table grows


def number_of(text: bytes) -> int:
    """A 64-bit number for a text, never 0; two texts share one with a chance of 2**-64."""
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") or 1


class NumberTable:
    """A map from 64-bit numbers, 0 excepted, to 64-bit numbers."""

    def __init__(self) -> None:
        self._count = 0
        self._keys = array("Q", bytes(8 * 1024))
        self._values = array("Q", bytes(8 * 1024))

    def __len__(self) -> int:
        return self._count

    def get(self, key: int) -> int | None:
        """Return the value of a key, None if it has none."""
        place = self._place(key)
        return self._values[place] if self._keys[place] != _EMPTY else None

    def put(self, key: int, value: int) -> None:
        """Give a key a value."""
        if self._count >= _FULL * len(self._keys):
            self._grow()
        place = self._place(key)
        self._count += self._keys[place] == _EMPTY
        self._keys[place], self._values[place] = key, value

    def _place(self, key: int) -> int:
        size = len(self._keys)
        place = key % size
        while self._keys[place] not in (_EMPTY, key):
            place = (place + 1) % size
        return place

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._keys = array("Q", bytes(16 * len(keys)))
        self._values = array("Q", bytes(16 * len(keys)))
        for key, value in zip(keys, values, strict=True):
            if key != _EMPTY:
                place = self._place(key)
                self._keys[place], self._values[place] = key, value
