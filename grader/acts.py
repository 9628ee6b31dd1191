"""What can be done to an object from beyond the wall."""

from __future__ import annotations

from typing import Any

# What each act does to an object. Special methods go through the type, as Python itself does.
_ACTS: dict[str, Any] = {
    "call": lambda obj, name, args, kwargs: obj(*args, **kwargs),
    "get": lambda obj, name, args, kwargs: getattr(obj, name),
    "set": lambda obj, name, args, kwargs: setattr(obj, name, args[0]),
    "get_item": lambda obj, name, args, kwargs: obj[args[0]],
    "set_item": lambda obj, name, args, kwargs: obj.__setitem__(*args),
    "iterate": lambda obj, name, args, kwargs: iter(obj),
    "next": lambda obj, name, args, kwargs: next(obj),
    "length": lambda obj, name, args, kwargs: len(obj),
    "enter": lambda obj, name, args, kwargs: type(obj).__enter__(obj),
    "leave": lambda obj, name, args, kwargs: type(obj).__exit__(obj, None, None, None),
}
ACTS = frozenset(_ACTS)


def perform(obj: Any, act: str, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Do something with an object.

    Args:
        act: one of `ACTS`.
        name: of an attribute, for "get" and "set".
    """
    return _ACTS[act](obj, name, args, kwargs)
