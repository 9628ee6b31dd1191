"""Read the plain content of a value of a known kind, past any override of its class.

Base functions (`tuple.__iter__(value)`, `int.__index__(value)`) read what the base stores; the
same call on the value itself may be the submission's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from types import MemberDescriptorType
from typing import Any, Final

import numpy as np

from grader.comparison.kinds import (
    ABSENT,
    Kind,
    class_attribute,
    class_name,
    declared_fields,
    has_base,
    instance_dict,
    kind_of,
    mro_of,
)
from grader.values import ExceptionValue, Raised

_args_of: Final[Callable[[BaseException], tuple[Any, ...]]] = BaseException.__dict__["args"].__get__


def plain_bool(value: Any) -> bool:
    """Return the truth of a `bool` or `np.bool_`."""
    return value is True or (value is not False and bool(np.generic.item(value)))


def plain_int(value: Any) -> int:
    """Return the value of an `int` or `np.integer`, or of a subclass, as an exact int."""
    try:
        return int.__index__(value)
    except TypeError:
        return int(np.generic.item(value))


def plain_float(value: Any) -> float:
    """Return the value of a float; `np.longdouble` is rounded to double precision."""
    try:
        return float.__float__(value)
    except TypeError:
        # item() of a long double is a long double, and of all others a float.
        return float(np.generic.__array__(value).astype(np.float64)[()])


def plain_complex(value: Any) -> complex:
    """Return the value of a complex number, likewise."""
    try:
        return complex.__complex__(value)
    except TypeError:
        return complex(np.generic.__array__(value).astype(np.complex128)[()])


def plain_number(value: Any, kind: Kind) -> int | float | complex:
    """Return the Python number a number of any class stands for (rule 3)."""
    if kind is Kind.INT:
        return plain_int(value)
    return plain_float(value) if kind is Kind.FLOAT else plain_complex(value)


def plain_text(value: Any) -> str:
    """Return the characters of a `str`."""
    return str.__str__(value)


def plain_bytes(value: Any) -> bytes:
    """Return the bytes of a `bytes` or `bytearray`."""
    if has_base(value, bytearray):
        return bytes(bytearray.copy(value))
    return bytes.__bytes__(value)


_SEQUENCE_BASE: Final[dict[Kind, Any]] = {
    Kind.TUPLE: tuple,
    Kind.LIST: list,
    Kind.DEQUE: deque,
    Kind.SET: set,
    Kind.FROZENSET: frozenset,
    Kind.DICT: dict,
}


def length_of(value: object, kind: Kind) -> int:
    """Return the number of elements of a container of that kind."""
    return int(_SEQUENCE_BASE[kind].__len__(value))


def elements_of(value: object, kind: Kind) -> Iterator[Any]:
    """Iterate over the elements of a sequence or set, or the keys of a dict."""
    elements: Iterator[Any] = _SEQUENCE_BASE[kind].__iter__(value)
    return elements


def pairs_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Iterate over the keys and values of a dict."""
    return iter(dict.items(value))


def named_fields(value: Any) -> tuple[str, ...] | None:
    """Return the field names of a namedtuple, None for a tuple without."""
    if type(value) is tuple:
        return None
    fields = class_attribute(type(value), "_fields")
    if type(fields) is not tuple or len(fields) != tuple.__len__(value):
        return None
    return fields if all(type(name) is str for name in fields) else None


def record_fields(value: object) -> dict[str, Any]:
    """Return the fields of a dataclass instance, read past properties and `__getattribute__`.

    A field that was deleted or never set is left out.
    """
    names = declared_fields(type(value)) or ()
    own = instance_dict(value)
    found: dict[str, Any] = {}
    for name in names:
        slot = class_attribute(type(value), name)
        if type(slot) is MemberDescriptorType:
            try:
                found[name] = slot.__get__(value)
            except AttributeError:
                continue
        elif name in own:
            found[name] = own[name]
        elif slot is not ABSENT:
            found[name] = slot
    return found


def exception_value(value: Any) -> ExceptionValue:
    """Return a live exception, or the data of one, as data; `__str__` is not asked."""
    if not has_base(value, BaseException):
        own = instance_dict(value)
        names = own.get("type_names")
        named = names if type(names) is tuple else ()
        plain = tuple(plain_text(name) for name in named if kind_of(name) is Kind.TEXT)
        message = own.get("message")
        return ExceptionValue(plain, plain_text(message) if kind_of(message) is Kind.TEXT else "")
    names = tuple(class_name(cls) for cls in mro_of(type(value)) if cls is not object)
    return ExceptionValue(names, _message_of(value))


def raised_value(value: Raised) -> ExceptionValue:
    """Return the exception inside a `Raised`."""
    return exception_value(instance_dict(value).get("exception"))


def _message_of(value: BaseException) -> str:
    """Return the only argument of an exception if it is text, as `str()` would."""
    arguments = _args_of(value)
    if len(arguments) != 1 or kind_of(arguments[0]) is not Kind.TEXT:
        return ""
    text = plain_text(arguments[0])
    return repr(text) if has_base(value, KeyError) else text


def mask_of(value: Any) -> Any:
    """Return the mask a masked array stores, None for any other array."""
    if not has_base(value, np.ma.MaskedArray):
        return None
    return instance_dict(value).get("_mask")
