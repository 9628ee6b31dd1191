"""Valid values of every kind that crosses the wall: what the mutations start from."""

from __future__ import annotations

import datetime as dt
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import torch

import grader.wire_builtin
import grader.wire_tensors

Point = namedtuple("Point", "x y")


@dataclass
class Box:
    """A dataclass to cross."""

    width: object
    height: object


def python_values() -> list[Any]:
    """Return values of Python's own kinds."""
    zone = dt.timezone(dt.timedelta(hours=-3, minutes=30))
    return [
        None, True, 0, -1, 2**63 - 1, 2**63, -(2**200), 0.5, -0.0, float("nan"), float("inf"),
        1 + 2j, complex("nan+infj"), "", "text {[,", "\ud800\u4e2d\U0001f600", b"", b"bytes",
        bytearray(b"array"), [], [1, [2.5, [None]]], (), (1, "a"), [0.5] * 40, (7,) * 40,
        deque([1, 2]), {}, {"a": 1, 2: [3], (4, 5): {6}, None: None}, set(), {1, 2.5, "x", b"y"},
        frozenset({frozenset({1, 2}), (3, 4)}), {np.float64(1.5), np.int8(3)}, range(3, 9, -2),
        {i * 7 for i in range(40)}, {-1: 0, -2: 1}, Fraction(-3, 7), Decimal("1.50"),
        Decimal("NaN"), Decimal("sNaN12"), Decimal("-Infinity"), Decimal("1E+999"),
        Point(1, [2]), [Point(i, i) for i in range(3)], Box(Box(1, 2), Point(3, 4)),
        OrderedDict(a=1, b=2), ValueError("wrong"), KeyError("key"),
        dt.datetime(2024, 2, 29, 1, 2, 3, 4), dt.datetime(1, 1, 1, tzinfo=zone, fold=1),
        dt.time(23, 59, 59, 999999, tzinfo=dt.UTC), dt.date(9999, 12, 31),
        dt.timedelta(-1, 5, 7),
    ]  # fmt: skip


def numpy_values() -> list[Any]:
    """Return NumPy scalars and arrays."""
    plain = [np.arange(6).reshape(2, 3).astype(code) for code in "?bBhHiIlLefdgFDGSUmM"
             if code not in "mM"]  # fmt: skip
    record = np.dtype([("a", "<f8"), ("b", [("c", "<U3"), ("d", "?", (2,))]), ("e", "O")])
    return [
        *plain, *(array.T for array in plain[:3]), np.arange(6, dtype=">i4").reshape(3, 2, 1),
        np.array(["2024-01-01", "NaT"], "M8[D]"), np.array([1, 2], "m8[25s]"),
        np.array(5.0), np.zeros((0, 3)), np.zeros((3, 0, 2), order="F"), np.array(["ab", "é"]),
        np.array([b"ab", b"c"]), np.array([b"xyz"], "V3"), np.array([1, "a", [None]], object),
        np.zeros(2, record), np.zeros((), record), np.zeros(3, []),
        np.ma.MaskedArray([1, 2, 3], mask=[0, 1, 0]), np.ma.MaskedArray([1j, 2], mask=False),
        np.float64(1.5), np.float16(2), np.bool_(True), np.int64(-3), np.complex64(1j),
        np.longdouble(1) / 3, np.datetime64("2024-01-01T01:02"), np.timedelta64(5, "ms"),
        np.zeros(1, [("a", "f4"), ("b", "U2")])[0],
    ]  # fmt: skip


def torch_values() -> list[Any]:
    """Return tensors of every dtype and layout, sizes, dtypes, devices."""
    dtypes = [*grader.wire_tensors._DTYPES.values()]
    matrix = torch.tensor([[1.0, 0, 2], [0, 0, 3], [4, 5, 0], [0, 6, 0]])
    square = torch.eye(4)
    return [
        *(torch.zeros(2, 2, dtype=dtype) for dtype in dtypes),
        torch.tensor([[True, False]]), torch.arange(6.0).reshape(2, 3).T, torch.tensor(3.0),
        torch.empty(0, 3), torch.ones(2, requires_grad=True), torch.ones(2, 1, 3),
        torch.tensor([1 + 2j, 3]).conj(), torch.tensor([1 + 2j, 3]).conj().imag,
        matrix.to_sparse(), matrix.to_sparse().coalesce(), matrix.to_sparse(1),
        torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (3,)), matrix.to_sparse_csr(),
        matrix.to_sparse_csc(), square.to_sparse_bsr((2, 2)), square.to_sparse_bsc((2, 2)),
        torch.eye(2).expand(3, 2, 2).to_sparse_csr(), torch.Size([2, 3]), torch.bfloat16,
        torch.device("cpu"), torch.device("cuda:0"), {"w": torch.ones(2), "b": np.ones(1)},
    ]  # fmt: skip


def all_values() -> list[Any]:
    """Return every sample."""
    return [*python_values(), *numpy_values(), *torch_values()]
