"""Tell what a value is by the classes it is made of, whatever it claims.

`isinstance` believes a forged `__class__`, and attributes may be properties of the submission's.
The resolution order of a class and the raw dictionaries in it cannot be forged.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import Field
from enum import Enum
from types import GetSetDescriptorType
from typing import Any, Final

import numpy as np
import torch

from grader.values import ExceptionValue, Raised


class Kind(Enum):
    """What a value counts as; the text is the word used in messages."""

    NONE = "None"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    COMPLEX = "complex"
    TEXT = "str"
    BYTES = "bytes"
    BYTEARRAY = "bytearray"
    TUPLE = "tuple"
    LIST = "list"
    DEQUE = "deque"
    DICT = "dict"
    SET = "set"
    FROZENSET = "frozenset"
    RECORD = "dataclass"
    ARRAY = "array"
    TENSOR = "tensor"
    DATETIME64 = "datetime64"
    TIMEDELTA64 = "timedelta64"
    VOID = "structured scalar"
    DECIMAL = "Decimal"
    FRACTION = "Fraction"
    DATETIME = "datetime"
    DATE = "date"
    TIME = "time"
    TIMEDELTA = "timedelta"
    RANGE = "range"
    NUMPY_DTYPE = "NumPy dtype"
    TORCH_DTYPE = "torch dtype"
    DEVICE = "torch device"
    CLASS = "class"
    EXCEPTION = "exception"
    RAISED = "raised exception"
    OTHER = "object"


NUMBERS: Final = frozenset({Kind.INT, Kind.FLOAT, Kind.COMPLEX})
SEQUENCES: Final = frozenset({Kind.TUPLE, Kind.LIST, Kind.DEQUE})
SETS: Final = frozenset({Kind.SET, Kind.FROZENSET})
GRIDS: Final = frozenset({Kind.ARRAY, Kind.TENSOR})

_BASES: Final[tuple[tuple[type, Kind], ...]] = (
    (type(None), Kind.NONE),
    (bool, Kind.BOOL),
    (np.bool_, Kind.BOOL),
    (int, Kind.INT),
    (float, Kind.FLOAT),
    (complex, Kind.COMPLEX),
    # A timedelta64 inherits from np.signedinteger and is found before it.
    (np.timedelta64, Kind.TIMEDELTA64),
    (np.datetime64, Kind.DATETIME64),
    (np.integer, Kind.INT),
    (np.floating, Kind.FLOAT),
    (np.complexfloating, Kind.COMPLEX),
    (np.void, Kind.VOID),
    (str, Kind.TEXT),
    (bytes, Kind.BYTES),
    (bytearray, Kind.BYTEARRAY),
    (tuple, Kind.TUPLE),
    (list, Kind.LIST),
    (deque, Kind.DEQUE),
    (dict, Kind.DICT),
    (set, Kind.SET),
    (frozenset, Kind.FROZENSET),
    (np.ndarray, Kind.ARRAY),
    (torch.Tensor, Kind.TENSOR),
    (decimal.Decimal, Kind.DECIMAL),
    (fractions.Fraction, Kind.FRACTION),
    (datetime.datetime, Kind.DATETIME),
    (datetime.date, Kind.DATE),
    (datetime.time, Kind.TIME),
    (datetime.timedelta, Kind.TIMEDELTA),
    (range, Kind.RANGE),
    (np.dtype, Kind.NUMPY_DTYPE),
    (torch.dtype, Kind.TORCH_DTYPE),
    (torch.device, Kind.DEVICE),
    (type, Kind.CLASS),
    (BaseException, Kind.EXCEPTION),
    (ExceptionValue, Kind.EXCEPTION),
    (Raised, Kind.RAISED),
)
# Keyed by id: looking a class up by hash or == would call its metaclass.
_KIND_BY_ID: Final = {id(base): kind for base, kind in _BASES}

mro_of: Final[Callable[[type], tuple[type, ...]]] = type.__dict__["__mro__"].__get__
_dict_of: Final[Callable[[type], Mapping[str, Any]]] = type.__dict__["__dict__"].__get__
_name_of: Final[Callable[[type], str]] = type.__dict__["__name__"].__get__


def kind_of(value: object) -> Kind:
    """Return what `value` counts as: the first known class among its bases (rule 1)."""
    cls = type(value)
    kind = _KIND_BY_ID.get(id(cls))
    if kind is not None:
        return kind
    for base in mro_of(cls):
        kind = _KIND_BY_ID.get(id(base))
        if kind is not None:
            return kind
    return Kind.RECORD if declared_fields(cls) is not None else Kind.OTHER


def has_base(value: object, base: type) -> bool:
    """Tell whether `base` is among the classes of `value`, whatever `__class__` claims."""
    return any(cls is base for cls in mro_of(type(value)))


def class_name(cls: type) -> str:
    """Return the name of a class, past a metaclass that would answer for it."""
    return _name_of(cls)


ABSENT: Final = object()


def class_attribute(cls: type, name: str) -> Any:
    """Return a class attribute as it is stored, without running descriptors."""
    for base in mro_of(cls):
        stored = _dict_of(base)
        if name in stored:
            return stored[name]
    return ABSENT


def declared_fields(cls: type) -> tuple[str, ...] | None:
    """Return the field names of a dataclass, None for any other class."""
    declared = class_attribute(cls, "__dataclass_fields__")
    if type(declared) is not dict:
        return None
    # ClassVar and InitVar are declared too, but are no fields of an instance.
    return tuple(
        name
        for name, field in declared.items()
        if type(name) is str
        and type(field) is Field
        and getattr(getattr(field, "_field_type", None), "name", "") == "_FIELD"
    )


def instance_dict(value: object) -> dict[str, Any]:
    """Return the attributes stored on an instance, empty when it has no dictionary."""
    for base in mro_of(type(value)):
        slot = _dict_of(base).get("__dict__")
        if type(slot) is GetSetDescriptorType:
            own = slot.__get__(value)
            return own if type(own) is dict else {}
    return {}
