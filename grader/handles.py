"""A submission's object as test code sees it: what is done to the handle is done beyond the wall.

The object stays with the submission. Construct, call, method, attribute, item, `with`, `len` and
iteration go through; plain results come back as data, others as further handles, and an object is
let go once its last handle is. When a worker is lost its objects are lost with it: the reference,
taken through the same steps, stands in so that test code can go on, and the judge fails each case
that goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

# Sends an act to the other side and returns what came of it: a plain value or a `Handle`.
Send = Callable[["Act"], Any]


@dataclass(frozen=True)
class Act:
    """One thing done to an object.

    Attributes:
        kind: "call", "get" and so on, as the worker knows them.
        target: None for the entry point.
        name: of an attribute.
    """

    kind: str
    target: Handle | None = None
    name: str = ""
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] | None = None


class Handle:
    """Stands for an object beyond the wall. Its own state is out of the way of the object's."""

    __slots__ = ("__weakref__", "_drop_", "_number_", "_send_")

    def __init__(self, number: int, send: Send, drop: Callable[[int], None]) -> None:
        object.__setattr__(self, "_number_", number)
        object.__setattr__(self, "_send_", send)
        object.__setattr__(self, "_drop_", drop)

    def __del__(self) -> None:
        self._drop_(self._number_)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._send_(Act("call", self, args=args, kwargs=kwargs))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)  # what Python looks for on its own is not the object's
        return self._send_(Act("get", self, name))

    def __setattr__(self, name: str, value: Any) -> None:
        self._send_(Act("set", self, name, (value,)))

    def __getitem__(self, key: Any) -> Any:
        return self._send_(Act("get_item", self, args=(key,)))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._send_(Act("set_item", self, args=(key, value)))

    def __len__(self) -> int:
        return int(self._send_(Act("length", self)))

    def __bool__(self) -> bool:
        return True  # else `if handle:` would ask for a length that the object may not have

    def __iter__(self) -> Iterator[Any]:
        iterator = self._send_(Act("iterate", self))
        if not isinstance(iterator, Handle):  # the reference's own, where a worker was lost
            yield from iterator
            return
        while True:
            try:
                value = self._send_(Act("next", iterator))
            except StopIteration:
                return
            yield value

    def __enter__(self) -> Any:
        return self._send_(Act("enter", self))

    def __exit__(self, *exc: object) -> None:
        self._send_(Act("leave", self))


def number_of(handle: Handle) -> int:
    """The number by which the other side knows the object."""
    number: int = object.__getattribute__(handle, "_number_")
    return number
