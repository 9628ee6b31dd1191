"""Results a submission may return to win, to crash or to stall the comparison.

Each is a function, so that making it is not paid for by tests that do not use it. Kept for ever.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict, UserDict, deque
from dataclasses import make_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch


class OverrideCalled(BaseException):
    """Raised by overrides; no `except Exception` hides it."""


def _trap(*args: object, **kwargs: object) -> Any:
    raise OverrideCalled


_NAMES = [
    "__eq__",
    "__ne__",
    "__lt__",
    "__hash__",
    "__bool__",
    "__len__",
    "__iter__",
    "__getitem__",
    "__contains__",
    "__repr__",
    "__str__",
    "__format__",
    "__float__",
    "__int__",
    "__index__",
    "__complex__",
    "__sub__",
    "__rsub__",
    "__abs__",
    "__array__",
    "__array_ufunc__",
    "__array_function__",
    "__getattribute__",
    "__getattr__",
    "__reduce__",
    "__reduce_ex__",
    "items",
    "keys",
    "values",
    "item",
    "tolist",
    "numpy",
    "detach",
    "__bytes__",
    "__round__",
]


def trapped(base: type) -> type:
    """Return a subclass of `base` whose every method raises `OverrideCalled`."""
    return type("Trapped", (base,), dict.fromkeys(_NAMES, _trap))


def trapped_values() -> dict[str, tuple[Any, Any]]:
    """Return instances of trapped subclasses, each with a plain value it should match."""
    tensor = trapped(torch.Tensor)
    tensor.__torch_function__ = classmethod(_trap)  # type: ignore[attr-defined]
    array_base = trapped(np.ndarray)
    ordinary: dict[type, Any] = {
        int: 3,
        float: 0.5,
        complex: 1j,
        str: "abc",
        bytes: b"abc",
        tuple: (1.0, 2.0),
        list: [1.0, 2.0],
        dict: {"a": 1.0},
        OrderedDict: OrderedDict(a=1.0),
        deque: deque([1.0]),
        set: {1, 2},
        frozenset: frozenset({1, 2}),
        np.float64: np.float64(0.5),
        np.float32: np.float32(0.5),
        np.int64: np.int64(3),
        Decimal: Decimal("0.5"),
        Fraction: Fraction(1, 2),
    }
    pairs = {}
    for base, value in ordinary.items():
        if base is Fraction:
            made = object.__new__(trapped(Fraction))
            Fraction.__dict__["_numerator"].__set__(made, 1)
            Fraction.__dict__["_denominator"].__set__(made, 2)
        elif base is complex:
            made = trapped(complex)(0.0, 1.0)
        elif base in (np.float64, np.float32, np.int64):
            made = trapped(base)(0.5 if base is not np.int64 else 3)
        else:
            made = trapped(base)(value)
        pairs[base.__name__] = (made, value)
    pairs["tensor"] = (torch.ones(3).as_subclass(tensor), torch.ones(3))
    pairs["array"] = (np.ones(3).view(array_base), np.ones(3))
    record = make_dataclass("P", ["x"], namespace={"__eq__": _trap, "__getattribute__": _trap})
    pairs["dataclass"] = (record(1.0), make_dataclass("P", ["x"])(1.0))
    metaclass = type("Meta", (type,), {"__eq__": _trap, "__hash__": _trap, "mro": type.mro})
    pairs["metaclass"] = (metaclass("Odd", (float,), {})(0.5), 0.5)
    forged = type("Forged", (), {"__class__": property(_trap), "__eq__": _trap})
    pairs["forged class"] = (forged(), None)
    return pairs


def freed_tensor() -> torch.Tensor:
    """A tensor whose storage is gone: reading it is a segmentation fault."""
    tensor = torch.ones(1000)
    tensor.untyped_storage().resize_(0)
    return tensor


def freed_sparse() -> torch.Tensor:
    """A sparse tensor whose values are gone."""
    tensor = torch.eye(3).to_sparse()
    tensor._values().untyped_storage().resize_(0)
    return tensor


def out_of_range_sparse() -> torch.Tensor:
    """A sparse tensor with an index outside its shape, which aliases another entry."""
    indices = torch.tensor([[0], [4]])
    return torch.sparse_coo_tensor(indices, torch.ones(1), (2, 3), check_invariants=False)


def broken_csr() -> torch.Tensor:
    """A CSR tensor whose row pointers run past its values."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.sparse_csr_tensor(
            torch.tensor([0, 1000, 10**9]),
            torch.tensor([0, 1]),
            torch.ones(2),
            (2, 2),
            check_invariants=False,
        )


def expanded_sparse() -> torch.Tensor:
    """A sparse tensor of 10**12 entries in a few bytes."""
    indices = torch.zeros(1, 1, dtype=torch.int64).expand(1, 10**12)
    values = torch.ones(1).expand(10**12)
    return torch.sparse_coo_tensor(indices, values, (3,), check_invariants=False)


def huge_sparse() -> torch.Tensor:
    """A sparse tensor of 10**18 elements, one of them stored."""
    return torch.sparse_coo_tensor(
        torch.tensor([[5], [7]]), torch.ones(1), (10**9, 10**9), check_invariants=True
    )


def deep_list() -> list[Any]:
    """A list 200,000 levels deep."""
    value: list[Any] = []
    for _ in range(200_000):
        value = [value]
    return value


def doubling_list() -> list[Any]:
    """A list of 2**60 leaves that shares its halves."""
    value: list[Any] = [1.0]
    for _ in range(60):
        value = [value, value]
    return value


def doubling_dtype() -> np.ndarray[Any, Any]:
    """A structured array of no bytes and 2**15 fields; NumPy itself is slow to make more."""
    dtype = np.dtype("V0")
    for _ in range(15):
        dtype = np.dtype([("a", dtype), ("b", dtype)])
    return np.zeros(1, dtype)


def cyclic_list() -> list[Any]:
    """A list that contains itself."""
    value: list[Any] = [1.0]
    value.append(value)
    return value


def cyclic_dict() -> dict[str, Any]:
    """A dict that contains itself."""
    value: dict[str, Any] = {"a": 1.0}
    value["self"] = value
    return value


def cyclic_array() -> np.ndarray[Any, Any]:
    """An object array that contains itself."""
    value = np.empty(1, dtype=object)
    value[0] = value
    return value


def deep_key() -> dict[Any, Any]:
    """A dict whose key is a tuple 500 levels deep."""
    key: tuple[Any, ...] = ()
    for _ in range(500):
        key = (key,)
    return {key: 1.0}


def nested_tensor(layout: torch.layout) -> torch.Tensor:
    """A ragged tensor."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=layout)


class _Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls) -> _Wrapper:
        return torch.Tensor._make_wrapper_subclass(cls, (3,))

    __torch_dispatch__ = classmethod(_trap)
    __torch_function__ = classmethod(_trap)


def escaped_vmap() -> torch.Tensor:
    """A batched tensor that outlived its transform."""
    kept: list[torch.Tensor] = []
    torch.func.vmap(lambda row: kept.append(row) or row)(torch.ones(2, 3))
    return kept[0]


def quantized() -> torch.Tensor:
    """A quantised tensor."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.quantize_per_tensor(torch.tensor([1.0, 2.0]), 0.1, 10, torch.quint8)


def ones_of(dtype: torch.dtype) -> torch.Tensor:
    """Three ones; Torch warns that complex32 is experimental."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.ones(3).to(dtype)


def _compressed(layout: str) -> torch.Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        blocks = {"blocksize": (2, 2)} if layout.startswith("bs") else {}
        return getattr(torch.eye(4), f"to_sparse_{layout}")(**blocks)


HOSTILE: dict[str, Any] = {
    "freed": freed_tensor,
    "freed sparse": freed_sparse,
    "sparse index out of range": out_of_range_sparse,
    "broken csr": broken_csr,
    "expanded sparse": expanded_sparse,
    "huge sparse": huge_sparse,
    "expanded": lambda: torch.ones(1).expand(10**12),
    "expanded in two axes": lambda: torch.ones(1, 1).expand(10**12, 20),
    "expanded array": lambda: np.broadcast_to(np.float32(1), (10**6, 10**6)),
    "deep": deep_list,
    "doubling": doubling_list,
    "doubling dtype": doubling_dtype,
    "cyclic list": cyclic_list,
    "cyclic dict": cyclic_dict,
    "cyclic array": cyclic_array,
    "deep key": deep_key,
    "meta": lambda: torch.empty(3, device="meta"),
    "huge meta": lambda: torch.empty(10**12, device="meta"),
    "wrapper": _Wrapper,
    "vmap": escaped_vmap,
    "uninitialised": torch.nn.UninitializedParameter,
    "nested": lambda: nested_tensor(torch.strided),
    "jagged": lambda: nested_tensor(torch.jagged),
    "quantised": quantized,
    "mkldnn": lambda: torch.ones(3).to_mkldnn(),
    "zero tensor": lambda: torch._efficientzerotensor(3),
    "huge int": lambda: 10**1_000_000,
    "huge negative int": lambda: -(10**1_000_000) + 1,
    "signalling NaN": lambda: Decimal("sNaN"),
    "huge decimal key": lambda: {Decimal("1e999999"): 1.0},
    "NaN keys": lambda: {float("nan"): 1.0, np.float64("nan"): 2.0},
    "lone surrogate": lambda: "\ud800",
    "terminal escape": lambda: "\x1b[2J\u202eabc",
    "escape in names": lambda: make_dataclass("P\x1b[2J", ["x"])(1.0),
    "long text": lambda: "x" * 10**6,
    "user dict": UserDict,
    "module": lambda: torch.nn.Linear(1, 1),
    "exception": lambda: ValueError("\x1b"),
    "odd unicode array": lambda: np.array([0x7FFFFFFF], dtype=np.int32).view("U1"),
    "void": lambda: np.void(b"abc"),
    "masked": lambda: np.ma.masked,
    "bits": lambda: torch.zeros(2, dtype=torch.uint8).view(torch.bits8),
    "int4": lambda: torch.zeros(2, dtype=torch.uint8).view(torch.int4),
    **{
        str(dtype): lambda dtype=dtype: ones_of(dtype)
        for dtype in (
            *(torch.float8_e4m3fn, torch.float8_e5m2, torch.bfloat16, torch.float16),
            *(torch.uint16, torch.uint32, torch.uint64, torch.bool, torch.complex32),
        )
    },
    "longdouble": lambda: np.array([1, 2], dtype=np.longdouble),
    "string dtype": lambda: np.array(["a", "b"], dtype=np.dtypes.StringDType()),
    **{
        layout: lambda layout=layout: _compressed(layout) for layout in ("csr", "csc", "bsr", "bsc")
    },
}

# Comparing such a value with itself is a mismatch: there are no values, or too many.
UNCOMPARABLE = frozenset(
    {
        *("freed", "freed sparse", "sparse index out of range", "broken csr", "expanded sparse"),
        *("expanded", "expanded in two axes", "expanded array", "deep", "doubling", "cyclic list"),
        *("doubling dtype", "cyclic dict", "cyclic array", "deep key", "meta", "huge meta"),
        *("wrapper", "vmap", "jagged", "masked", "bits", "int4", "user dict", "module"),
    }
)

# Over a second, all tests of one value together.
SLOW = frozenset({"doubling", "doubling dtype", "huge int", "huge negative int"})


def hostile_names() -> list[Any]:
    """Return the names of the hostile values as parameters of a test."""
    return [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HOSTILE]
