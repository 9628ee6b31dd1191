"""Tests of the comparison: the corpus row by row, messages word by word, hostile values."""

from __future__ import annotations

import builtins
import collections
import decimal
import fractions
import json
import math
import re
import time
import warnings
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hostile_values import (
    HOSTILE,
    UNCOMPARABLE,
    cyclic_list,
    deep_list,
    hostile_names,
    trapped_values,
)

from grader.compare import MAX_MESSAGE, compare, compare_outputs
from grader.values import ExceptionValue, Raised

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "tests" / "corpus" / "comparison.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
SCOPE = {
    "torch": torch,
    "np": np,
    "math": math,
    "collections": collections,
    "fractions": fractions,
    "decimal": decimal,
}
TENTH = 1e-4


def evaluated(side: Any) -> Any:
    """Return the value a corpus row writes as an expression, or as a raised exception."""
    if isinstance(side, dict):
        return raised(getattr(builtins, side["raises"]), side.get("message", ""))
    with warnings.catch_warnings():
        # Torch announces that CSR is in beta.
        warnings.simplefilter("ignore")
        return eval(side, dict(SCOPE))


def raised(cls: type, message: str = "") -> Raised:
    names = tuple(base.__name__ for base in cls.__mro__ if base is not object)
    return Raised(ExceptionValue(names, message))


def message_of(actual: Any, expected: Any) -> str:
    return compare_outputs(actual, expected, atol=TENTH, rtol=TENTH)[1]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_corpus_row_is_judged_as_written(row: dict[str, Any]) -> None:
    """The corpus is the contract; each row says why."""
    actual, expected = evaluated(row["actual"]), evaluated(row["expected"])
    match, message, _ = compare_outputs(actual, expected, atol=row["atol"], rtol=row["rtol"])
    assert match is row["match"], row["why"]
    assert match == (message == "")
    assert match or " at output" in message


MESSAGES: list[tuple[Any, Any, str]] = [
    ([1.0], (1.0,), "list of length 1 where tuple was expected at output"),
    ((torch.zeros(3, 1),), (torch.zeros(3),), "shape (3, 1) where (3,) was expected at output[0]"),
    (
        (torch.zeros(3).double(),),
        (torch.zeros(3),),
        "dtype float64 where float32 was expected at output[0]",
    ),
    ({"m": {"n": 3.0}}, {"m": {"n": 3}}, "float 3.0 where int was expected at output['m']['n']"),
    (
        (0.0, 1.0, 0.5003),
        (0.0, 1.0, 0.5),
        "0.5003 where 0.5 was expected at output[2]: difference 0.0003, tolerance 0.00015",
    ),
    (
        100000,
        100001,
        "100000 where 100001 was expected at output: difference 1, tolerance none, ints are exact",
    ),
    (
        np.array([[1.0, 2.0], [4.0, 4.0]]),
        np.array([[1.0, 2.5], [3.0, 4.0]]),
        "2 of 4 elements differ (50%) at output: first 2.0 where 2.5 was expected at index (0, 1); "
        "worst absolute difference 1 at index (1, 0); "
        "worst relative difference 0.333333 at index (1, 0); "
        "tolerance 0.0001 + 0.0001 * |expected|",
    ),
    ({"a": 1}, {"a": 1, "b": 2}, "missing key 'b' where keys 'a', 'b' were expected at output"),
    ({"a": 1, "b": 2}, {"a": 1}, "unexpected key 'b' where key 'a' was expected at output"),
    ((1,), (1, 2), "length 1 where 2 was expected at output"),
    ({1, 2}, {1, 3}, "{1, 2} where {1, 3} was expected at output: 3 is missing; 2 is unexpected"),
    (
        "abc",
        "abd",
        "str 'abc' where 'abd' was expected at output: "
        "first difference at character 2, lengths 3 and 3",
    ),
    (
        torch.eye(2).to_sparse(),
        torch.eye(2),
        "sparse COO layout where dense was expected at output",
    ),
    (
        torch.empty(1, device="meta"),
        torch.zeros(1),
        "a meta tensor, which has no values, where values were expected at output",
    ),
    (
        np.ma.array([1.0, 2.0], mask=[False, True]),
        np.array([1.0, 2.0]),
        "1 of 2 elements differ (50%) at output: first masked where 2.0 was expected at index (1,);"
        " 1 masked, and a masked element matches nothing",
    ),
    (
        make_dataclass("P", ["x", "z"])(1, 2),
        make_dataclass("P", ["x", "y"])(1, 2),
        "fields x, z where fields x, y were expected at output",
    ),
    (
        make_dataclass("P", ["x"])(1),
        make_dataclass("Q", ["x"])(1),
        "dataclass P where Q was expected at output",
    ),
    (
        0.0,
        raised(ZeroDivisionError),
        "float 0.0 returned where ZeroDivisionError was expected to be raised at output",
    ),
    (
        raised(KeyError, "'a'"),
        1.0,
        "KeyError(\"'a'\") raised where float was expected at output",
    ),
    (
        decimal.Decimal("0.1"),
        decimal.Decimal("0.2"),
        "Decimal 0.1 where 0.2 was expected at output",
    ),
]


@pytest.mark.parametrize(("actual", "expected", "message"), MESSAGES, ids=range(len(MESSAGES)))
def test_message_says_found_expected_and_where(actual: Any, expected: Any, message: str) -> None:
    """A learner acts on these words; a change of them is meant to be seen."""
    assert message_of(actual, expected) == message


@pytest.mark.parametrize(
    ("actual", "expected", "where"),
    [
        ([0, [1, 2]], [0, [1, 3]], "output[1][1]"),
        ((torch.zeros(2, 4),), (torch.eye(2, 4),), "output[0] at index (0, 0)"),
        ({"loss": [1.0, {"x": 2.0}]}, {"loss": [1.0, {"x": 3.0}]}, "output['loss'][1]['x']"),
        (make_dataclass("P", ["x"])(1), make_dataclass("P", ["x"])(2), "output.x"),
        (np.array([[1, None]]), np.array([[1, 2]], dtype=object), "output[0, 1]"),
        (torch.tensor(1.0), torch.tensor(2.0), "output"),
        (torch.eye(3).to_sparse(), 2 * torch.eye(3).to_sparse(), "output at index (0, 0)"),
        (1.0, 1.0, None),
    ],
)
def test_where_names_the_first_mismatch(actual: Any, expected: Any, where: str | None) -> None:
    """The site draws a mark there."""
    assert compare(actual, expected, TENTH, TENTH).where == where


def test_structure_outranks_values() -> None:
    """A wrong number is not worth reading while a shape is wrong as well."""
    assert message_of((9.0, [1.0]), (1.0, (1.0,))) == (
        "list of length 1 where tuple was expected at output[1]"
    )


@pytest.mark.parametrize(
    ("actual", "expected", "max_diff"),
    [
        ((1.0, torch.tensor([2.0, 3.0])), (1.0, torch.tensor([2.0, 3.5])), 0.5),
        ((1.0, 2.0), (1.5, 2.25), 0.5),
        (torch.tensor([1, 5]), torch.tensor([1, 2]), 3.0),
        (np.array([0], dtype=np.uint8), np.array([255], dtype=np.uint8), 255.0),
        (np.array([-(2**63)]), np.array([2**63 - 1]), 2.0**64),
        (3 + 4j, 0j, 5.0),
        (torch.tensor([True]), torch.tensor([False]), 1.0),
        ("a", "a", 0.0),
        ("a", "b", None),
        ([1.0], (1.0,), None),
        (torch.zeros(3, 1), torch.zeros(3), None),
        (float("inf"), 1.0, math.inf),
        (float("inf"), float("inf"), 0.0),
    ],
)
def test_max_diff_is_the_largest_distance(
    actual: Any, expected: Any, max_diff: float | None
) -> None:
    """The report shows it beside the tolerance; None where there is no distance."""
    assert compare_outputs(actual, expected, TENTH, TENTH)[2] == max_diff


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (float("nan"), 1.0),
        (torch.tensor([1.0, float("nan")]), torch.tensor([9.0, 1.0])),
        ((float("nan"), 5.0), (1.0, 1.0)),
        (np.array([complex(math.nan, math.inf)]), np.array([1j])),
    ],
)
def test_max_diff_of_a_lone_nan_is_nan(actual: Any, expected: Any) -> None:
    """A larger difference elsewhere must not hide it."""
    match, _, max_diff = compare_outputs(actual, expected, TENTH, TENTH)
    assert not match
    assert max_diff is not None
    assert math.isnan(max_diff)


def test_arrays_longer_than_a_block_are_compared_throughout() -> None:
    """The last element of the last block counts, and indices go on counting."""
    expected = torch.zeros(3, 700, 700)
    actual = expected.clone()
    actual[2, 699, 699] = 1.0
    result = compare(actual, expected, TENTH, TENTH)
    assert result.where == "output at index (2, 699, 699)"
    assert compare(actual.transpose(0, 2), expected.transpose(0, 2), 0.0, 0.0).where == (
        "output at index (699, 699, 2)"
    )


def test_sparse_entries_compare_wherever_they_are_stored() -> None:
    """A stored zero is a zero; a tiny stored value is within the tolerance of none."""
    actual = torch.sparse_coo_tensor(
        torch.tensor([[0, 1]]), torch.tensor([1.0, 1e-9]), (3,), check_invariants=True
    )
    expected = torch.sparse_coo_tensor(
        torch.tensor([[0]]), torch.tensor([1.0]), (3,), check_invariants=True
    )
    assert compare(actual, expected, TENTH, TENTH).match
    assert not compare(actual, expected, 0.0, 0.0).match


@pytest.mark.parametrize(
    ("actual", "expected", "match"),
    [
        ({float("nan"): 1}, {float("nan"): 1}, True),
        ({float("nan")}, {float("nan")}, True),
        ({math.nan, float("nan")}, {math.nan}, False),
        ({1: "a"}, {True: "a"}, True),
        ({1: "a"}, {1.0: "a"}, True),
        ({("a", "b"): 1}, {("a,b",): 1}, False),
        ({0.5: 1}, {fractions.Fraction(1, 2): 1}, True),
        ({frozenset({1, 2}): 1}, {frozenset({2, 1}): 1}, True),
        ({2**70: 1}, {float(2**70): 1}, True),
    ],
)
def test_keys_match_by_equality(actual: Any, expected: Any, match: bool) -> None:
    """Keys are canonical text inside; it must be equal when they are, and only then."""
    assert compare(actual, expected, TENTH, TENTH).match is match


def test_returned_exception_is_not_a_raise() -> None:
    """Else `return ValueError()` would pass where raising is asked for."""
    value = ExceptionValue(("ValueError", "Exception", "BaseException"), "no")
    assert not compare(value, Raised(value), TENTH, TENTH).match
    assert not compare(ValueError("no"), Raised(value), TENTH, TENTH).match
    assert not compare(Raised(value), value, TENTH, TENTH).match
    assert compare(ValueError("no"), value, TENTH, TENTH).match
    assert not compare(ValueError("yes"), value, TENTH, TENTH).match


def test_half_precision_scalars_widen_the_tolerance() -> None:
    """One unit in the last place of a float16 is beyond 1e-4."""
    assert compare(np.float16(1.001), np.float16(1.0), TENTH, TENTH).match


TRAPPED = trapped_values()


@pytest.mark.parametrize("name", TRAPPED)
def test_overrides_of_a_subclass_are_never_called(name: str) -> None:
    """A float subclass can redefine subtraction and win every comparison."""
    value, plain = TRAPPED[name]
    is_forged = name == "forged class"
    assert compare(value, plain, TENTH, TENTH).match is not is_forged
    assert compare(plain, value, TENTH, TENTH).match is not is_forged
    assert not compare([value], [object], TENTH, TENTH).match
    assert not compare((value,), (Raised(ExceptionValue((), "")),), TENTH, TENTH).match


@pytest.mark.parametrize("name", hostile_names())
def test_hostile_value_is_judged_in_bounded_time(name: str) -> None:
    """No result may crash, stall or flood the referee, whatever it is compared with."""
    value, twin = HOSTILE[name](), HOSTILE[name]()
    start = time.perf_counter()
    result = compare(value, twin, TENTH, TENTH)
    assert result.match is (name not in UNCOMPARABLE), result.message
    for other in (None, 1.0, [1.0], {"a": 1.0}, torch.ones(3), np.ones(3), "a"):
        for pair in ((value, other), (other, value), ([value], [other])):
            assert len(compare(*pair, TENTH, TENTH).message) <= MAX_MESSAGE
    # A second alone; generous, for machines that do other things as well.
    assert time.perf_counter() - start < 20


def test_message_is_bounded_and_inert() -> None:
    """Reports are read in terminals: an escape must arrive as text."""
    ugly = "\x1b[2J\u202e\ud800\u2066" * 1000
    for actual, expected in (
        (ugly, "a"),
        ({ugly: 1}, {"a": 1}),
        ({ugly: [ugly]}, {ugly: ["a"]}),
        (type(ugly.encode("unicode_escape").decode(), (), {})(), 1),
        (type("\x1b\u202e", (), {})(), 1),
        (make_dataclass("P\x1b", ["x"])(1), make_dataclass("Q\u202e", ["x"])(1)),
        (Raised(ExceptionValue((ugly,), ugly)), raised(ValueError)),
        (np.zeros(1, dtype=[("\x1b", "f8")]), np.zeros(1, dtype=[("\u202e", "f8")])),
        ([ugly] * 3, {ugly}),
    ):
        message = message_of(actual, expected)
        assert 0 < len(message) <= MAX_MESSAGE
        assert message.isprintable(), message
        message.encode("utf-8")


def test_shapes_are_looked_at_before_size() -> None:
    """Of a huge result with the wrong shape, the shape is the useful news."""
    message = message_of(torch.ones(1).expand(10**12), torch.ones(3))
    assert message == "shape (1000000000000,) where (3,) was expected at output"


def test_too_much_is_said_so() -> None:
    """A learner with a cyclic list is told what is wrong with it."""
    assert message_of(deep_list(), deep_list()).startswith("a value too deep to compare")
    assert message_of(cyclic_list(), cyclic_list()).startswith("a value too deep to compare")


def test_arguments_are_left_as_they_were() -> None:
    """Results are summarised after they were compared."""
    tensor = torch.tensor([1.0, 2.0], requires_grad=True)
    iterator = iter([1, 2])
    compare((tensor, iterator), (torch.zeros(2), [1, 2]), TENTH, TENTH)
    compare(iterator, [1, 2], TENTH, TENTH)
    assert tensor.requires_grad
    assert list(iterator) == [1, 2]


def test_tuple_of_floats_is_compared_in_microseconds() -> None:
    """The commonest result; a warm verdict takes 1.5 ms in all."""
    values = (0.25, 0.5, 0.75)
    compare(values, values, TENTH, TENTH)
    best = min(_timed(values) for _ in range(200))
    assert best < 60e-6


def _timed(values: tuple[float, ...]) -> float:
    start = time.perf_counter()
    compare_outputs(values, (0.25, 0.5, 0.75), TENTH, TENTH)
    return time.perf_counter() - start


def test_rules_document_is_the_one_the_rows_were_written_for() -> None:
    """Rows cite rules by number; a rule that is gone leaves them without a reason."""
    text = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    rules = {int(number) for number in re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE)}
    cited = {int(n) for row in ROWS for n in re.findall(r"rule (\d+)", row["why"])}
    assert cited <= rules
