"""Objects of a submission that cannot leave its process: kept here, and used from outside."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any


class Objects:
    """The objects that the other side holds handles of, by number."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}
        self._numbers = itertools.count(1)

    def keep(self, value: Any) -> int:
        """Keep an object and return its number."""
        number = next(self._numbers)
        self._kept[number] = value
        return number

    def drop(self, numbers: list[int]) -> None:
        """Let objects go that nobody outside holds any more."""
        for number in numbers:
            self._kept.pop(number, None)

    def find(self, number: int) -> Any:
        """Return the object of that number."""
        return self._kept[number]

    def put_in(self, places: dict[str, int], args: list[Any], kwargs: dict[str, Any]) -> None:
        """Put objects where arguments are handles of them."""
        for place, number in places.items():
            if place.isdigit():
                args[int(place)] = self._kept[number]
            else:
                kwargs[place] = self._kept[number]


def is_used_from_outside(value: Any, entry: Any) -> bool:
    """Whether an object made by the entry point is more than the data it holds.

    A dataclass without methods of its own crosses as its fields.
    """
    if (
        not isinstance(entry, type)
        or type(value) is not entry
        or not dataclasses.is_dataclass(entry)
    ):
        return False
    return any(callable(member) and name[:2] != "__" for name, member in vars(entry).items())
