"""The wire: every kind crosses as its plain value, all else is refused with a sentence."""

from __future__ import annotations

import abc
import dataclasses
import datetime as dt
import enum
import json
import math
import struct
import types
import warnings
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import grader.wire_arrays
import grader.wire_builtin
import grader.wire_tensors  # noqa: F401 - all three teach the wire their kinds
from grader import wire
from grader.limits import MAX_VALUE_BYTES, MAX_VALUE_DEPTH, MAX_VALUE_NODES
from grader.values import ExceptionValue

Point = namedtuple("Point", "x y")
REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow],
)


def cross(value: Any) -> Any:
    """Send a value over, and check that what arrived is written as the same bytes."""
    data = wire.encode(value)
    arrived = wire.decode(data)
    assert wire.encode(arrived) == data
    return arrived


def raw(header: str, body: bytes = b"") -> bytes:
    """Bytes of a value as a stranger may write them."""
    return struct.pack("!I", len(header)) + header.encode() + body


# --- Python's own kinds ---------------------------------------------------------------

MONDAY = dt.datetime(2024, 2, 29, 23, 59, 59, 999999)
PLAIN = [
    None, True, False, 0, -1, 2**63 - 1, 2**63, -(2**63), 2**64, 10**4999, -(10**6000),
    0.0, 1.5, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), 1 + 2j, complex(-0.0, 3),
    "", "abc", "é中\U0001f600", "\ud800", "a\udfffb\0", '{"[,]}\\', "{" * 50, b"", b"\0\xff",
    b"x" * 5000,
    bytearray(b"ab"), [], [1, "a", [None, [2.5]]], [0.5] * 31, [0.5] * 32, [3] * 100, [2**64] * 40,
    (), (1,), (1, (2, [3])), (True,) * 40, deque([1, [2]]), deque([1.5] * 50),
    {}, {"b": 1, "a": [2]}, {1: "x", (2, 3): None, None: {4}, frozenset({5}): 6, 1.5: 0, b"k": 1},
    set(), {1, "a", (2,)}, {b"x", b"y", b"z"}, frozenset({1, frozenset({2, 3})}), {-1, -2},
    range(5), range(10, -3, -4), range(2**100, 2**101, 7),
    Fraction(3, -7), Fraction(10**50, 3), Decimal("1.50"), Decimal("-0"), Decimal("1E-400"),
    Decimal("Infinity"), Decimal("-Infinity"), dt.date(1, 1, 1), dt.date(9999, 12, 31), MONDAY,
    MONDAY.replace(tzinfo=dt.UTC), MONDAY.replace(tzinfo=dt.timezone(dt.timedelta(hours=-12))),
    MONDAY.replace(tzinfo=dt.timezone(dt.timedelta(minutes=345, microseconds=1)), fold=1),
    dt.time(1, 2, 3, 4), dt.time(0, tzinfo=dt.UTC), dt.timedelta(-1, 3, 5), dt.timedelta.max,
    ExceptionValue(("KeyError", "LookupError"), "'a'"),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_a_plain_value_arrives_equal_and_of_its_type(value: object) -> None:
    """The table of kinds that the second issue names."""
    arrived = cross(value)
    assert type(arrived) is type(value)
    assert arrived == value


@pytest.mark.parametrize("value", [float("nan"), complex(0, float("nan")), Decimal("NaN"),
                                   Decimal("sNaN123"), Decimal("-NaN7")])  # fmt: skip
def test_nan_stays_nan(value: Any) -> None:
    """NaN is equal to nothing, so its text is compared."""
    assert repr(cross(value)) == repr(value)


def test_minus_zero_keeps_its_sign() -> None:
    """`-0.0 == 0.0`, so equality does not see it."""
    assert math.copysign(1, cross(-0.0)) == -1
    assert math.copysign(1, cross([-0.0] * 40)[0]) == -1


def test_a_zone_arrives_as_its_offset() -> None:
    """A zone is a database, its offset at that moment is a value."""
    summer = dt.datetime(2024, 7, 1, tzinfo=ZoneInfo("Etc/GMT-2"))
    assert cross(summer) == summer
    assert cross(summer).utcoffset() == dt.timedelta(hours=2)


def test_order_of_a_dict_is_kept() -> None:
    """Learners print them."""
    assert [*cross({"b": 1, "a": 2})] == ["b", "a"]


def test_move_to_end_is_seen() -> None:
    """An LRU cache is an OrderedDict whose order `dict.items` does not know."""
    cache = OrderedDict(a=1, b=2)
    cache.move_to_end("a")
    assert [*cross(cache)] == ["b", "a"]


@pytest.mark.parametrize("value", [Counter("aab"), defaultdict(list, a=[1]), OrderedDict(z=1)])
def test_a_mapping_crosses_as_a_dict(value: dict[Any, Any]) -> None:
    """Every dict subclass will do (rule 12 of COMPARISON.md)."""
    arrived = cross(value)
    assert type(arrived) is dict
    assert arrived == value


def test_a_set_is_written_the_same_in_any_order() -> None:
    """Bytes tell whether an input changed; the order of a set is no change."""
    members = [b"a", np.float64(0.5), (1.5,) * 40, "x", 3]
    assert wire.encode(set(members)) == wire.encode({*members[::-1]})


def test_a_namedtuple_keeps_its_names() -> None:
    """Records are compared by field names, read by attribute and by index."""
    arrived = cross(Point(1, [2]))
    assert isinstance(arrived, tuple)
    assert (arrived, arrived._fields, arrived.x, arrived[1]) == ((1, [2]), ("x", "y"), 1, [2])
    assert repr(arrived) == "Point(x=1, y=[2])"
    assert arrived._replace(x=5) == (5, [2])


@dataclasses.dataclass
class Box:
    """A record of two fields."""

    width: Any
    height: Any = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    """A record without a dictionary."""

    value: Any


@pytest.mark.parametrize("value", [Box(1, "a"), Slotted([1]), Box(Box(1, 2), Slotted(3))])
def test_a_dataclass_keeps_its_names(value: Any) -> None:
    """The class on the other side has its name and fields, none of its methods."""
    arrived = cross(value)
    assert repr(arrived) == repr(value)
    assert dataclasses.asdict(arrived) == dataclasses.asdict(value)


def test_many_records_of_one_kind_cross() -> None:
    """The bound is on kinds; a list of a thousand points has one."""
    assert cross([Point(i, -i) for i in range(1_000)])[999] == (999, -999)


def test_a_field_name_of_another_form_is_not_compiled() -> None:
    """Python folds the ligature in source; `make_dataclass` would then miss its own name."""
    arrived = wire.decode(raw('[["dataclass","Box",["\\ufb01"],[1]],[]]'))
    assert vars(arrived) == {"\ufb01": 1}


def test_an_exception_crosses_as_its_names_and_message() -> None:
    """Code outside the wall never holds an exception object of a submission."""
    assert cross(KeyError("k")) == ExceptionValue(
        ("KeyError", "LookupError", "Exception", "BaseException"), "'k'"
    )


# --- NumPy ----------------------------------------------------------------------------

INNER = np.dtype([("c", "<U3"), ("d", "?", (2, 2))])
STRUCTURED = np.dtype([("a", ">f8"), ("b", INNER), ("e", "O"), ("f", "<i2", (3,))])


def same(left: Any, right: Any) -> bool:
    """Whether two arrays are equal in type, dtype, shape and elements."""
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.names is not None:
        return all(same(left[name], right[name]) for name in left.dtype.names)
    return bool(np.array_equal(left, right, equal_nan=left.dtype.kind in "fcmM"))


def numbers(code: str) -> Any:
    return (np.arange(6) % 3).reshape(2, 3).astype(code)


ARRAYS = [
    *(numbers(code) for code in "?bBhHiIlLqQefdgFDG"), *(numbers(c) for c in (">i4", ">f2",
    ">c16", ">f16")),
    np.array(["2024-01-01", "NaT"], "M8[D]"), np.array([1, 2], "m8[25s]"), np.array([0], ">M8[us]"),
    np.array(["ab", "中\ud800", ""]), np.array(["a"], ">U4"), np.array([b"ab", b"c"]),
    np.array([b"xyz"], "V3"),
    np.array([1, "a", [None], {2}], object), np.array(5.0), np.array("text"), np.array(None),
    np.zeros((0, 3)), np.zeros((3, 0, 2), order="F"), np.arange(6.0)[::-1], np.arange(10)[::3],
    np.arange(24).reshape(2, 3, 4).transpose(1, 2, 0), np.asfortranarray(np.arange(6).reshape(2,
    3)),
    np.ones((3, 2))[:, :1].T, np.ones((3, 1, 4)), np.broadcast_to(np.arange(3), (4, 3)),
    np.broadcast_to(np.arange(3.0)[:, None], (3, 4)), np.zeros(2, STRUCTURED), np.zeros((),
    STRUCTURED),
    np.zeros((2, 0), STRUCTURED), np.zeros((2, 3), STRUCTURED).T, np.zeros(3, []),
    np.array([np.nan, np.inf, -0.0]),
    np.zeros((1,) * 64),
]  # fmt: skip


@pytest.mark.parametrize("value", ARRAYS, ids=lambda a: f"{a.dtype.str}{a.shape}")
def test_an_array_arrives_with_dtype_shape_and_elements(value: Any) -> None:
    """All plain dtypes, object, structured, in any order."""
    arrived = cross(value)
    assert type(arrived) is np.ndarray
    assert same(arrived, value)
    arrived[...] = arrived  # writable


def test_a_fortran_array_arrives_as_one() -> None:
    """A learner who asks for `flags.f_contiguous` sees what was sent."""
    arrived = cross(np.asfortranarray(np.ones((2, 3))))
    assert arrived.flags.f_contiguous
    assert not arrived.flags.c_contiguous


@pytest.mark.parametrize("value", [
    np.float64(1.5), np.float32("nan"), np.float16(2), np.longdouble(1) / 3, np.complex128(1j),
    np.complex64(2), np.int8(-1), np.uint64(2**64 - 1), np.bool_(True), np.datetime64("NaT"),
    np.datetime64("2024-01-01T01:02"), np.timedelta64(5, "ms"), np.void(b"ab"),
    np.zeros(1, INNER)[0],
], ids=repr)  # fmt: skip
def test_a_numpy_scalar_keeps_its_type(value: Any) -> None:
    """A `np.float32` is not a `float`."""
    arrived = cross(value)
    assert type(arrived) is type(value)
    assert arrived.dtype == value.dtype
    assert repr(arrived) == repr(value)


@pytest.mark.parametrize("value", [
    np.ma.MaskedArray([1, 2, 3], mask=[0, 1, 0]), np.ma.MaskedArray([1.5, 2], mask=False),
    np.ma.MaskedArray(np.ones((2, 2)).T, mask=[[1, 0], [0, 0]]), np.ma.MaskedArray([], mask=[]),
    np.ma.masked,
], ids=repr)  # fmt: skip
def test_a_masked_array_keeps_data_and_mask(value: Any) -> None:
    """What is under the mask is data too."""
    arrived = cross(value)
    assert type(arrived) is np.ma.MaskedArray
    assert same(arrived.data, np.asarray(value.data))
    assert np.array_equal(np.ma.getmaskarray(arrived), np.ma.getmaskarray(value))


def test_bytes_of_a_bool_array_are_made_zero_and_one() -> None:
    """NumPy counts a byte of 2 as true here and as 2 there."""
    odd = np.frombuffer(b"\0\2\xff", np.bool_)
    assert wire.encode(odd) == wire.encode(np.array([False, True, True]))


def test_padding_of_a_long_double_is_no_part_of_it() -> None:
    """Six of its sixteen bytes are whatever was there before."""
    dirty = np.full(32, 255, np.uint8).view(np.longdouble)
    dirty[:] = 1.5
    assert wire.encode(dirty) == wire.encode(np.full(2, 1.5, np.longdouble))


# --- Torch ----------------------------------------------------------------------------

TORCH_DTYPES = [
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16",
    "bfloat16", "float32", "float64", "complex32", "complex64", "complex128", "float8_e4m3fn",
    "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
]  # fmt: skip
MATRIX = torch.tensor([[1.0, 0, 2, 0], [0, 0, 3, 0], [4, 5, 0, 0], [0, 6, 0, 7]])


@pytest.mark.parametrize("name", [n for n in TORCH_DTYPES if hasattr(torch, n)])
def test_a_tensor_of_every_dtype_arrives(name: str) -> None:
    """Bit for bit."""
    dtype = getattr(torch, name)
    count = 24 // dtype.itemsize if dtype.itemsize < 8 else 3
    sent = torch.tensor([0, 1] * 12, dtype=torch.uint8)
    sent = sent[: count * dtype.itemsize // dtype.itemsize * dtype.itemsize]
    sent = sent.repeat(4).view(dtype) if dtype is not torch.bool else sent.bool()
    arrived = cross(sent)
    assert (arrived.dtype, arrived.shape) == (sent.dtype, sent.shape)
    assert torch.equal(arrived.view(torch.uint8), sent.view(torch.uint8))


@pytest.mark.parametrize("sent", [
    torch.tensor(3.5), torch.empty(0), torch.empty(2, 0, 3), torch.arange(6.0).reshape(2, 3).T,
    torch.arange(24).reshape(2, 3, 4).permute(2, 0, 1), torch.arange(10)[::3], torch.ones(3, 1, 2),
    torch.ones(3, 2)[:, :1].T, torch.ones(3).expand(4, 3), torch.tensor([1 + 2j]).conj(),
    torch.tensor([1 + 2j]).conj().imag, torch.tensor([float("nan"), float("inf"), -0.0]),
    torch.nn.Parameter(torch.ones(2)), torch.ones((1,) * 64),
], ids=lambda t: f"{tuple(t.shape)[:4]}{t.stride()[:4]}")  # fmt: skip
def test_a_dense_tensor_arrives(sent: torch.Tensor) -> None:
    """Views, lazy conjugates and all orders of axes."""
    arrived = cross(sent)
    assert type(arrived) is torch.Tensor
    assert torch.equal(
        arrived.nan_to_num(), sent.detach().resolve_conj().resolve_neg().nan_to_num()
    )
    assert arrived.requires_grad == sent.requires_grad
    assert not arrived.is_conj()


def test_a_transposed_tensor_arrives_as_one() -> None:
    """Its `view` fails there as it does here."""
    assert not cross(torch.ones(2, 3).T).is_contiguous()
    assert cross(torch.ones(2, 1, 3)).is_contiguous()


def test_whether_gradients_are_asked_for_crosses_or_not() -> None:
    """An input may be compared without it: calling `backward` does not change an input."""
    sent = torch.ones(2, requires_grad=True)
    assert cross(sent).requires_grad
    assert not wire.decode(wire.encode(sent, with_grad=False)).requires_grad


SPARSE = {
    "coo": lambda: MATRIX.to_sparse(),
    "coo, uncoalesced": lambda: torch.sparse_coo_tensor(
        [[0, 0]], [1.0, 2.0], (3,), check_invariants=True
    ),
    "coo, hybrid": lambda: MATRIX.to_sparse(1),
    "coo, empty": lambda: torch.zeros(3, 2).to_sparse(),
    "coo, gradients": lambda: MATRIX.to_sparse().requires_grad_(),
    "csr": lambda: MATRIX.to_sparse_csr(),
    "csr, batches": lambda: torch.eye(2).expand(3, 2, 2).to_sparse_csr(),
    "csc": lambda: MATRIX.to_sparse_csc(),
    "bsr": lambda: MATRIX.to_sparse_bsr((2, 2)),
    "bsc": lambda: MATRIX.to_sparse_bsc((2, 2)),
}


@pytest.mark.parametrize("name", SPARSE)
def test_a_sparse_tensor_keeps_its_layout(name: str) -> None:
    """Torch warns once that CSR is new; nobody is to hear it, warnings are errors here."""
    sent = SPARSE[name]()
    arrived = cross(sent)
    assert (arrived.layout, arrived.shape) == (sent.layout, sent.shape)
    assert arrived.requires_grad == sent.requires_grad
    assert torch.equal(arrived.to_dense(), sent.to_dense())


def test_a_huge_sparse_tensor_is_not_made_dense() -> None:
    """Forty bits a side, one element."""
    sent = torch.sparse_coo_tensor([[2**39], [5]], [1.5], (2**40, 2**20), check_invariants=True)
    arrived = cross(sent)
    assert (arrived.shape, arrived._values().tolist()) == (sent.shape, [1.5])


@pytest.mark.parametrize(
    "value",
    [torch.Size([2, 3]), torch.Size([]), torch.float32, torch.qint8, torch.bfloat16,
    torch.device("cpu"),
     torch.device("cuda:0"), torch.device("meta")], ids=repr,
)  # fmt: skip
def test_sizes_dtypes_and_devices_cross(value: object) -> None:
    """They are what many exercises return."""
    arrived = cross(value)
    assert type(arrived) is type(value)
    assert arrived == value


# --- subclasses: plain values, their overrides left behind ----------------------------


def fail(*args: object, **kwargs: object) -> Any:
    raise AssertionError("an override was called")


LYING = dict.fromkeys(
    ["__len__", "__iter__", "__getitem__", "__contains__", "__eq__", "__str__", "__repr__",
     "__bool__", "__int__", "__index__", "__float__", "__complex__", "__bytes__", "__reduce_ex__",
     "__getattribute__", "__copy__", "__deepcopy__", "__class_getitem__"], fail,
)  # fmt: skip
HIDING = LYING | {"__hash__": lambda self: 7}


class Meta(type):
    """A class that lies about itself."""

    __hash__ = fail
    __eq__ = fail
    __getattribute__ = fail
    __instancecheck__ = fail
    __subclasscheck__ = fail


class Color(enum.IntEnum):
    """Its members are ints."""

    RED = 3


class Mode(enum.StrEnum):
    """Its members are text."""

    FAST = "fast"


@pytest.mark.parametrize("plain", [
    3, 2**70, 1.5, 1 + 2j, "text", b"bytes", bytearray(b"b"), [1, 2], (1, 2), {"a": 1}, {1, 2},
    frozenset({1}), deque([1]), Fraction(1, 3), Decimal("1.5"), dt.datetime(2024, 1, 1,
    tzinfo=dt.UTC),
    dt.date(2024, 1, 1), dt.time(1), dt.timedelta(1),
], ids=repr)  # fmt: skip
@pytest.mark.parametrize("meta", [type, Meta])
def test_a_subclass_crosses_as_its_bases_plain_value(plain: Any, meta: type) -> None:
    """An override could win every comparison; none is called, on this side already."""
    base = type(plain)
    if base is Fraction:
        meta = abc.ABCMeta  # it has one already
    kind = types.new_class("Sub", (base,), {"metaclass": meta}, lambda body: body.update(HIDING))
    if base in (dt.datetime, dt.time):
        value = (
            base.__new__(kind, *plain.timetuple()[:3])
            if base is dt.datetime
            else base.__new__(kind, 1)
        )
        plain = plain.replace(tzinfo=None)
    elif base is dt.date:
        value = base.__new__(kind, 2024, 1, 1)
    elif base is dt.timedelta:
        value = base.__new__(kind, 1)
    elif base is Fraction:
        value = object.__new__(kind)
        for slot in ("_numerator", "_denominator"):
            Fraction.__dict__[slot].__set__(value, getattr(plain, slot))
    else:
        value = base.__new__(kind, plain)
        if base in (list, bytearray, set, deque):
            base.__init__(value, plain)
        elif base is dict:
            dict.update(value, plain)
    assert wire.encode(value) == wire.encode(plain)


@pytest.mark.parametrize(("value", "plain"), [(Color.RED, 3), (Mode.FAST, "fast")])
def test_a_member_of_an_enum_of_numbers_or_text_is_one(value: object, plain: object) -> None:
    """Type and value of the base."""
    arrived = cross(value)
    assert type(arrived) is type(plain)
    assert arrived == plain


def test_a_tensor_subclass_crosses_as_a_tensor() -> None:
    """`__torch_function__` would answer for every call."""
    kind = type("Sub", (torch.Tensor,), {"__torch_function__": fail, "numel": fail, "tolist": fail})
    arrived = cross(torch.ones(2).as_subclass(kind))
    assert type(arrived) is torch.Tensor
    assert arrived.tolist() == [1, 1]


def test_an_array_subclass_crosses_as_an_array() -> None:
    """As would `__array_function__` and `__array_ufunc__`."""
    lies = dict.fromkeys(["__array_function__", "__array_ufunc__", "__getitem__", "tobytes"], fail)
    arrived = cross(np.ones(2).view(type("Sub", (np.ndarray,), lies)))
    assert type(arrived) is np.ndarray
    assert arrived.tolist() == [1, 1]


def test_text_that_an_exception_says_is_plain() -> None:
    """`__str__` may return a str whose slices are something else."""
    text = type("Text", (str,), {"__getitem__": fail, "__len__": fail, "__str__": fail})
    kind = type("Odd", (Exception,), {"__str__": lambda self: text("said")})
    assert cross(kind()).message == "said"


# --- refusals -------------------------------------------------------------------------


def loop() -> list[Any]:
    items: list[Any] = [1]
    items.append(items)
    return items


def dict_loop() -> dict[str, Any]:
    items: dict[str, Any] = {}
    items["a"] = (items,)
    return items


def array_loop() -> Any:
    items = np.empty(1, object)
    items[0] = items
    return items


def freed() -> torch.Tensor:
    tensor = torch.ones(4)
    tensor.untyped_storage().resize_(0)
    return tensor


def unset() -> Box:
    return object.__new__(Box)


class Plain(enum.Enum):
    """Its members are neither."""

    ONE = 1


def bad_text() -> Any:
    return np.frombuffer(b"\0\0\x11\0", "<U1")


def bad_long_double() -> Any:
    return np.frombuffer(b"\1" * 7 + b"\0\1\x40" + b"\0" * 6, np.longdouble)


REFUSED = [
    (lambda: (i for i in ()), "a generator cannot be returned"),
    (object, "an object cannot be returned"),
    (lambda: print, "a builtin_function_or_method cannot be returned"),
    (lambda: fail, "a function cannot be returned"),
    (lambda: int, "a class cannot be returned"),
    (lambda: Meta("Sub", (), {}), "a class cannot be returned"),
    (lambda: math, "a module cannot be returned"),
    (lambda: iter([]), "a list_iterator cannot be returned"),
    (lambda: {}.keys(), "a dict_keys cannot be returned"),
    (lambda: [[map(int, [])]], "a map cannot be returned"),
    (lambda: {"a": {1: zip()}}, "a zip cannot be returned"),
    (lambda: Plain.ONE, "a Plain cannot be returned"),
    (lambda: torch.nn.Linear(1, 1), "a Linear cannot be returned"),
    (lambda: memoryview(b""), "a memoryview cannot be returned"),
    (loop, "a list that contains itself cannot be returned"),
    (dict_loop, "a dict that contains itself cannot be returned"),
    (array_loop, "a ndarray that contains itself cannot be returned"),
    (lambda: torch.ones(1, device="meta"), "a meta tensor cannot be returned: it has no values"),
    (lambda: torch.quantize_per_tensor(torch.ones(1), 1.0, 0, torch.qint8), "a quantized tensor"),
    (lambda: torch.nested.nested_tensor([torch.ones(1)]), "a nested tensor cannot be returned"),
    (lambda: torch.ones((1,) * 65), "over 64 dimensions"),
    (freed, "a tensor whose storage was freed cannot be returned"),
    (lambda: np.array(["a"], np.dtypes.StringDType()), "an array of dtype StringDType"),
    (lambda: np.zeros(2, [("a", "U0")])["a"], "an array of dtype <U0 cannot be returned"),
    (lambda: np.ma.MaskedArray(np.zeros(1, INNER)), "a masked array of structured kind"),
    (bad_text, "text that is no Unicode cannot be returned"),
    (bad_long_double, "a long double that is no number cannot be returned"),
    (unset, "a Box of which a field is not set cannot be returned"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_has_no_plain_value_is_named(make: Any, message: str) -> None:
    """The learner is told what the result was."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Torch's, of quantized and nested tensors
        value = make()
    with pytest.raises(wire.CannotCross, match=message) as caught:
        wire.encode(value)
    assert not caught.value.too_large


def nested(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


def doubling(levels: int) -> Any:
    value: Any = [0]
    for _ in range(levels):
        value = [value, value]
    return value


def test_the_deepest_value_crosses_and_one_deeper_does_not() -> None:
    """Both sides count alike."""
    cross(nested(MAX_VALUE_DEPTH + 1))
    with pytest.raises(wire.CannotCross, match="nested over 64 levels"):
        wire.encode(nested(MAX_VALUE_DEPTH + 2))


TOO_LARGE = {
    "shared lists that double": lambda: doubling(40),
    "a list of many": lambda: [None] * (MAX_VALUE_NODES + 1),
    "a packed list of many": lambda: [0.5] * (MAX_VALUE_NODES + 1),
    "text": lambda: "a" * (33 << 20),
    "bytes": lambda: bytes(MAX_VALUE_BYTES + 1),
    "zeros that were never touched": lambda: np.zeros(MAX_VALUE_BYTES // 8 + 1),
    "a broadcast array": lambda: np.broadcast_to(np.float64(1), (1 << 30, 1 << 20)),
    "a broadcast array of objects": lambda: np.broadcast_to(np.array(None), (1 << 40,)),
    "a broadcast structured array": lambda: np.broadcast_to(np.zeros((), INNER), (1 << 40,)),
    "an expanded tensor": lambda: torch.ones(1).expand(1 << 30, 1 << 20),
    "an empty array of huge sides": lambda: np.empty((1 << 40, 0)),
    "an empty tensor of huge sides": lambda: torch.empty(0, 1 << 40),
    "an array of nothing": lambda: np.zeros(1 << 40, []),
    "a fraction": lambda: Fraction(1, 2 ** (1 << 17)),
    "a decimal": lambda: Decimal("1E+999999999"),
    "many kinds of record": lambda: [namedtuple(f"P{i}", "x")(i) for i in range(65)],
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LARGE)
def test_too_much_is_refused_before_it_is_made(name: str) -> None:
    """Terabytes that exist only as a shape are never written out."""
    value = TOO_LARGE[name]()
    with pytest.raises(wire.CannotCross) as caught:
        wire.encode(value)
    assert caught.value.too_large


@pytest.mark.parametrize("value", [",[" * 1_500_000, ["[" * 1_000] * 3_000], ids=["one", "many"])
def test_text_full_of_brackets_is_no_structure(value: Any) -> None:
    """Marks are counted before the header is parsed; those in text are written as escapes."""
    assert cross(value) == value


# --- what a stranger writes -----------------------------------------------------------

HOSTILE = {
    "nothing": b"",
    "half a size": b"\0\0",
    "a header beyond the end": struct.pack("!I", 10) + b"[0,[]]",
    "a header of four gigabytes": struct.pack("!I", 2**32 - 1) + b"[0,[]]",
    "no JSON": raw("[0,[]"),
    "text after it": raw("[0,[]]]"),
    "not ASCII": raw('["é",[]]'),
    "another coding of JSON": struct.pack("!I", 12) + "[0,[]]".encode("utf-16-le"),
    "no pair": raw("[0]"),
    "an object": raw('[{"a":1},[]]'),
    "deep": raw("[" * 100_000),
    "deep but closed": raw("[" + "[" * 900 + "]" * 900 + ",[]]"),
    "no tag": raw("[[1,2],[]]"),
    "an unknown tag": raw('[["eval","1"],[]]'),
    "a tag with too few fields": raw('[["int"],[]]'),
    "an int that is none": raw('[["int","0x_f"],[]]'),
    "an int in other digits": raw('[["int","0x\\u0661"],[]]'),
    "a fraction by zero": raw('[["fraction","0x1","0x0"],[]]'),
    "a negative denominator": raw('[["fraction","0x1","-0x1"],[]]'),
    "a decimal that is none": raw('[["decimal","x"],[]]'),
    "a decimal that fills the memory": raw('[["decimal","1E+999999999999"],[]]'),
    "a complex of ints": raw('[["complex",1,2],[]]'),
    "a range of floats": raw('[["range",0,1.0,1],[]]'),
    "a range without step": raw('[["range",0,1,0],[]]'),
    "a month too many": raw('[["date","2024-13-01"],[]]'),
    "a zone of two days": raw('[["datetime","2024-01-01T00:00:00",172800.0,0],[]]'),
    "a zone that is no number": raw('[["time","00:00",NaN,0],[]]'),
    "a timedelta too long": raw('[["timedelta",9999999999,0,0],[]]'),
    "bytes that are not there": raw('[["bytes"],[]]'),
    "bytes beyond the end": raw('[["bytes"],[4]]', b"abc"),
    "bytes of no size": raw('[["bytes"],[-1]]', b"abc"),
    "bytes of size true": raw('[["bytes"],[true]]', b"a"),
    "bytes left over": raw('[["bytes"],[2]]', b"abc"),
    "a buffer left over": raw('[["bytes"],[2,0]]', b"ab"),
    "a buffer read twice": raw('[["list",[["bytes"],["bytes"]]],[2]]', b"ab"),
    "a list that is none": raw('[["list",1],[]]'),
    "a run cut short": raw('[["list.packed","d"],[7]]', bytes(7)),
    "a run of objects": raw('[["list.packed","O"],[8]]', bytes(8)),
    "a dict of no pairs": raw('[["dict",[[1]]],[]]'),
    "a dict with a list for key": raw('[["dict",[[["list",[]],1]]],[]]'),
    "a set of lists": raw('[["set",[["list",[]]]],[]]'),
    "a set of sNaN": raw('[["set",[["decimal","sNaN"],1]],[]]'),
    "a record too short": raw('[["record","P",["x","y"],[1]],[]]'),
    "a record with a field twice": raw('[["record","P",["x","x"],[1,2]],[]]'),
    "a record with a dunder": raw('[["record","P",["__class__"],[1]],[]]'),
    "a record with a field of no name": raw('[["dataclass","P",["a b"],[1]],[]]'),
    "a dataclass with a keyword": raw('[["dataclass","P",["class"],[1]],[]]'),
    "a record with a field that is a list": raw('[["record","P",[["x"]],[1]],[]]'),
    "an exception of numbers": raw('[["exception",[1],"m"],[]]'),
    "an array of pointers": raw('[["np.array","|O8",[1],[0]],[8]]', bytes(8)),
    "an array of structures": raw('[["np.array","i4,O",[1],[0]],[8]]', bytes(8)),
    "an array of no dtype": raw('[["np.array","<f3",[1],[0]],[3]]', bytes(3)),
    "an array of width zero": raw('[["np.array","<U0",[1152921504606846976],[0]],[0]]'),
    "an array of empty bytes": raw('[["np.array","|S0",[1099511627776],[0]],[0]]'),
    "an array larger than its bytes": raw('[["np.array","<f8",[2],[0]],[8]]', bytes(8)),
    "an array of negative shape": raw('[["np.array","<f8",[-1,-1],[0,1]],[8]]', bytes(8)),
    "an array of shape true": raw('[["np.array","<f8",[true],[0]],[8]]', bytes(8)),
    "an array that overflows": raw('[["np.array","<f8",[4611686018427387903,0],[0,1]],[0]]'),
    "an array of 65 axes": raw(f'[["np.array","<f8",{json.dumps([1] * 65)},[]],[8]]', bytes(8)),
    "an order of one axis twice": raw('[["np.array","|u1",[1,1],[0,0]],[1]]', b"a"),
    "an order of true": raw('[["np.array","|u1",[1,1],[false,true]],[1]]', b"a"),
    "a bool of two": raw('[["np.array","|b1",[1],[0]],[1]]', b"\2"),
    "text beyond Unicode": raw('[["np.array","<U1",[1],[0]],[4]]', b"\0\0\x11\0"),
    "text beyond Unicode, turned": raw('[["np.array",">U1",[1],[0]],[4]]', b"\0\x11\0\0"),
    "a long double that is no number": raw(
        '[["np.array","<f16",[1],[0]],[16]]', b"\1" * 7 + b"\0\1\x40" + b"\0" * 6
    ),
    "a scalar with axes": raw('[["np.scalar",["np.array","|u1",[1],[0]]],[1]]', b"a"),
    "a mask that does not fit": raw(
        '[["np.masked",["np.array","|u1",[3],[0]],["np.array","|b1",[2],[0]]],[3,2]]', bytes(5)
    ),
    "a structure with a field twice": raw(
        '[["np.structured",[1],[0],[["a",["np.array","|u1",[1],[0]]],["a",["np.array","|u1",[1],[0]]]]],[1,1]]',
        b"ab",
    ),
    "a structure with a nameless field": raw(
        '[["np.structured",[1],[0],[["",["np.array","|u1",[1],[0]]]]],[1]]', b"a"
    ),
    "a huge structure of nothing": raw('[["np.structured",[1152921504606846976],[0],[]],[]]'),
    "objects that are missing": raw('[["np.object",[2],[1]],[]]'),
    "a tensor of a dtype that is none": raw('[["tensor","qint8",[1],[0],false],[1]]', b"a"),
    "a tensor bool of two": raw('[["tensor","bool",[1],[0],false],[1]]', b"\2"),
    "gradients of ints": raw('[["tensor","int8",[1],[0],true],[1]]', b"a"),
    "a module for a dtype": raw('[["torch.dtype","_dynamo"],[]]'),
    "a dtype that is a function": raw('[["torch.dtype","ones"],[]]'),
    "a device that is none": raw('[["torch.device","gpu!"],[]]'),
    "a device of too large a number": raw('[["torch.device","cuda:999"],[]]'),
    "a size beyond 64 bits": raw('[["torch.size",[99999999999999999999]],[]]'),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_encoder_writes_is_refused(name: str) -> None:
    """With `WireError` and nothing else."""
    with pytest.raises(wire.WireError):
        wire.decode(HOSTILE[name])


def sparse(layout: str, coalesced: str, shape: str, *parts: torch.Tensor) -> bytes:
    """A sparse tensor as a stranger writes it."""
    encoder = wire.Encoder()
    nodes = [encoder.encode(part) for part in parts]
    sizes = [len(buffer) for buffer in encoder.buffers]
    header = (
        f'[["sparse","{layout}",{coalesced},{shape},{json.dumps(nodes)},false],{json.dumps(sizes)}]'
    )
    return raw(header, b"".join(encoder.buffers))


ZERO_ONE = torch.tensor([0, 1])
HOSTILE_SPARSE = {
    "an index outside": lambda: sparse("coo", "false", "[2]", torch.tensor([[5]]), torch.ones(1)),
    "a negative index": lambda: sparse("coo", "false", "[2]", torch.tensor([[-1]]), torch.ones(1)),
    "coalesced that is not": lambda: sparse(
        "coo", "true", "[2]", torch.tensor([[1, 0]]), torch.ones(2)
    ),
    "a size that overflows": lambda: sparse(
        "coo", "false", "[4611686018427387903,4611686018427387903]", torch.tensor([[0], [0]]),
        torch.ones(1)
    ),
    "indices of float": lambda: sparse("coo", "false", "[2]", torch.tensor([[0.0]]), torch.ones(1)),
    "a column outside": lambda: sparse(
        "csr", "false", "[1,1]", ZERO_ONE, torch.tensor([7]), torch.ones(1)
    ),
    "rows that go down": lambda: sparse(
        "csr", "false", "[2,2]", torch.tensor([0, 5, 1]), torch.tensor([0]), torch.ones(1)
    ),
    "blocks of no size": lambda: sparse(
        "bsr", "false", "[1,1]", ZERO_ONE, torch.tensor([0]), torch.ones(1, 0, 0)
    ),
    "an unknown layout": lambda: sparse("dia", "false", "[1]", ZERO_ONE, torch.ones(2)),
    "too few parts": lambda: sparse("csr", "false", "[1,1]", ZERO_ONE, torch.ones(1)),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_SPARSE)
def test_a_sparse_tensor_that_would_read_outside_is_refused(name: str) -> None:
    """Torch trusts indices unless it is told to check them."""
    with pytest.raises(wire.WireError):
        wire.decode(HOSTILE_SPARSE[name]())


def test_no_name_makes_torch_import_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """`torch.__getattr__` imports what it is asked for."""
    monkeypatch.setattr(torch, "__getattr__", fail)
    with pytest.raises(wire.WireError):
        wire.decode(raw('[["torch.dtype","compiler"],[]]'))


HONEST_KEYS = {
    "a range": lambda: {*range(5_000)},
    "floats": lambda: {i / 1024 for i in range(5_000)},
    "high bits only": lambda: {i << 45 for i in range(5_000)},
    "a grid with minus one and two": lambda: {
        (a, b, c, d) for a in range(-2, 3) for b in range(-2, 3) for c in range(-2,
        3) for d in range(-2, 3)
    },
    "fractions": lambda: {Fraction(i, 7) for i in range(2_000)},
    "words": lambda: {f"word {i}" for i in range(5_000)},
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST_KEYS)
def test_honest_keys_are_not_taken_for_an_attack(name: str) -> None:
    """Patterns that Python's own tables find somewhat hard."""
    keys = HONEST_KEYS[name]()
    assert cross(keys) == keys
    assert cross(dict.fromkeys(keys)) == dict.fromkeys(keys)


# --- properties -----------------------------------------------------------------------

moments = st.one_of(
    st.datetimes(), st.datetimes(timezones=st.just(dt.UTC)), st.dates(), st.times(), st.timedeltas()
)
text = st.text(st.characters(), max_size=20)
exact = st.one_of(st.fractions(), st.decimals(allow_nan=False))
hashable = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), text,
              st.binary(max_size=20), exact, moments, st.complex_numbers(allow_nan=False)),
    lambda inner: st.one_of(
        st.tuples(inner, inner), st.frozensets(inner, max_size=4),
        st.builds(Point, inner, inner), st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=10,
)  # fmt: skip
plain_values = st.recursive(
    st.one_of(hashable, st.binary(max_size=20).map(bytearray), st.builds(range, st.integers(0, 9))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(hashable, inner, max_size=4),
        st.sets(hashable, max_size=5), st.lists(inner, max_size=4).map(deque),
        st.lists(st.floats(allow_nan=False), min_size=30, max_size=40),
        st.lists(st.integers(), min_size=30, max_size=40).map(tuple),
    ),
    max_leaves=20,
)  # fmt: skip
array_dtypes = st.one_of(
    hnp.boolean_dtypes(), hnp.integer_dtypes(endianness="?"), hnp.floating_dtypes(endianness="?"),
    hnp.complex_number_dtypes(), hnp.datetime64_dtypes(endianness="<"),
    hnp.timedelta64_dtypes(endianness="<"),
    hnp.unicode_string_dtypes(max_len=5), hnp.byte_string_dtypes(max_len=5),
)  # fmt: skip


def has_no_titles(dtype: Any) -> bool:
    """A title is a second name of a field, and is left behind."""
    return all(len(field) == 2 for field in dtype.fields.values())


arrays = hnp.arrays(
    st.one_of(array_dtypes, hnp.array_dtypes(array_dtypes, max_size=3).filter(has_no_titles)),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
torch_dtypes = st.sampled_from(
    [
        torch.bool,
        torch.uint8,
        torch.int64,
        torch.float16,
        torch.bfloat16,
        torch.float64,
        torch.complex64,
    ]
)


@REPEATABLE
@given(plain_values)
def test_any_plain_value_arrives_equal(value: Any) -> None:
    """All kinds in all kinds."""
    assert cross(value) == value


@REPEATABLE
@given(arrays, st.data())
def test_any_array_arrives_equal_in_any_order(array: Any, data: st.DataObject) -> None:
    """Transposed, reversed, of any dtype."""
    turned = array.transpose(data.draw(st.permutations(range(array.ndim))))
    if turned.ndim and data.draw(st.booleans()):
        turned = turned[::-1]
    arrived = cross(turned)
    assert (arrived.dtype, arrived.shape) == (turned.dtype, turned.shape)
    assert arrived.tobytes() == wire.decode(wire.encode(arrived)).tobytes()
    if turned.dtype.names is None:
        assert same(arrived, turned)


@REPEATABLE
@given(torch_dtypes, st.lists(st.integers(0, 4), max_size=4), st.data())
def test_any_tensor_arrives_equal_in_any_order(
    dtype: torch.dtype, shape: list[int], data: st.DataObject
) -> None:
    """Permuted, sliced, dense or sparse."""
    tensor = (torch.arange(math.prod(shape)) % 3).reshape(shape).to(dtype)
    tensor = tensor.permute(data.draw(st.permutations(range(len(shape)))))
    if shape and data.draw(st.booleans()):
        tensor = tensor[::2]
    assert torch.equal(cross(tensor), tensor)
    if shape and dtype is not torch.bool:
        assert torch.equal(cross(tensor.to_sparse()).to_dense(), tensor)


@REPEATABLE
@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_refused(data: bytes) -> None:
    """With a true size before them, so that the header is reached."""
    for hostile in (data, struct.pack("!I", len(data)) + data):
        try:
            wire.decode(hostile)
        except wire.WireError:
            continue
