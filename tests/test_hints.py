"""Tests of the hints: each near miss by its sentence, and silence where nothing is near."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hostile_values import HOSTILE, hostile_names, trapped_values

from grader.hints import find_hint

MATRIX = torch.tensor([[1.0, 5.0, 2.0], [4.0, 3.0, 9.0]])
VALUES = np.array([1.0, 4.0, 2.0, 8.0, 5.0])

HINTS: dict[str, tuple[Any, Any, str]] = {
    "transposed": (MATRIX.T, MATRIX, "The result is transposed: swap its two axes."),
    "permuted axes": (
        torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1),
        torch.arange(24.0).reshape(2, 3, 4),
        "The axes are in another order: permute them by (1, 2, 0).",
    ),
    "n for n - 1": (
        MATRIX.var(1, unbiased=False),
        MATRIX.var(1),
        "Divided by n where n - 1 is expected (n = 3).",
    ),
    "n - 1 for n": (
        MATRIX.var(1),
        MATRIX.var(1, unbiased=False),
        "Divided by n - 1 where n is expected (n = 3).",
    ),
    "n under the root": (
        MATRIX.std(1, unbiased=False),
        MATRIX.std(1),
        "Divided by n where n - 1 is expected, under the root (n = 3).",
    ),
    "sign": (-MATRIX, MATRIX, "Every value has the opposite sign."),
    "swapped": ((0.25, 0.5), (0.5, 0.25), "The two values are swapped."),
    "reversed": (VALUES[::-1], VALUES, "The values are in reverse order."),
    "permuted": (
        (1.0, 2.0, 3.5, 4.0),
        (2.0, 1.0, 3.5, 4.0),
        "The right values are there, but in another order.",
    ),
    "rolled": (
        np.roll(VALUES, 1),
        VALUES,
        "The values come one place too late: an index is off by one.",
    ),
    "shifted": (
        np.array([9.0, 1.0, 4.0, 2.0, 8.0]),
        VALUES,
        "The values come one place too late: an index is off by one.",
    ),
    "index from one": (
        torch.tensor([1, 2, 5]),
        torch.tensor([0, 1, 4]),
        "Every value is one too large: perhaps counting starts from 0, not from 1.",
    ),
    "no batch axis": (
        MATRIX,
        MATRIX[None],
        "The values are right, but an axis of length 1, such as the batch axis, is missing: "
        "unsqueeze (2, 3) to (1, 2, 3).",
    ),
    "extra axis": (
        MATRIX[:, :, None],
        MATRIX,
        "The values are right, with an extra axis of length 1: squeeze (2, 3, 1) to (2, 3).",
    ),
    "flattened": (
        MATRIX.flatten(),
        MATRIX,
        "The values are right but flattened: reshape them to (2, 3).",
    ),
    "dtype of a tensor": (
        MATRIX.double(),
        MATRIX,
        "The values are right, but the dtype is float64: call .to(torch.float32) on them.",
    ),
    "dtype of an array": (
        VALUES.astype(np.float32),
        VALUES,
        "The values are right, but the dtype is float32: call .astype(np.float64) on them.",
    ),
    "list for tuple": (
        [1.0, 2.0],
        (1.0, 2.0),
        "The values are right, but a list was returned: call tuple() on it.",
    ),
    "0-d tensor for number": (
        torch.tensor(0.5),
        0.5,
        "A tensor that holds one number was returned: call .item() on it.",
    ),
    "stray comma": (
        (0.5,),
        0.5,
        "A number is expected, not a tuple that holds one (a stray comma makes a tuple).",
    ),
    "list of tensors": (
        [torch.ones(2)],
        torch.ones(1, 2),
        "A list was returned: call torch.stack() on it.",
    ),
    "array for tensor": (
        VALUES,
        torch.from_numpy(VALUES),
        "A NumPy array was returned: call torch.from_numpy() on it.",
    ),
    "sparse for dense": (
        MATRIX.to_sparse(),
        MATRIX,
        "A sparse tensor was returned: call .to_dense() on it.",
    ),
    "None": (None, 1.0, "None was returned: perhaps a return statement is missing."),
    "float for int": (2.0, 2, "A float was returned: an int is expected, so use // or int()."),
    "iterator": (map(float, [1]), [1.0], "A map is not a list: call list() on it."),
    "natural logarithm": (
        math.log(7),
        math.log10(7),
        "The logarithm is natural, base 10 is expected.",
    ),
    "sum for mean": (
        float(VALUES.sum()),
        float(VALUES.mean()),
        "Every value is 5 times what is expected: perhaps a sum where a mean is expected.",
    ),
    "degrees": (math.degrees(1.3), 1.3, "The values are in degrees, radians are expected."),
    "percent": (
        85.0,
        0.85,
        "Every value is 100 times too large: a fraction is expected, not a percentage.",
    ),
    "eps": (
        np.array([1.0, math.nan]),
        np.array([1.0, 0.0]),
        "There is NaN where a finite number was expected: guard divisions by zero and "
        "logarithms of zero, for example with a small eps.",
    ),
    "squared": (
        VALUES**2,
        VALUES,
        "These are the squares of what is expected: take the square root.",
    ),
    "root": (np.sqrt(VALUES), VALUES, "These are the square roots of what is expected."),
    "complement": (0.3, 0.7, "These are 1 minus what is expected."),
    "softmax along the wrong axis": (
        MATRIX.softmax(0),
        MATRIX.softmax(1),
        "The sums are 1 along axis 0, but along axis 1 in what was expected: the softmax or "
        "normalisation runs along the wrong axis.",
    ),
    "not normalised": (
        VALUES,
        VALUES / VALUES.sum(),
        "The values are not normalised: divide by their sum.",
    ),
    "inside a container": (
        {"a": (1.0, MATRIX.T)},
        {"a": (1.0, MATRIX)},
        "At output['a'][1]: The result is transposed: swap its two axes.",
    ),
}


@pytest.mark.parametrize("name", HINTS)
def test_near_miss_is_recognised(name: str) -> None:
    """The sentence is what turns a wrong answer into a lesson."""
    actual, expected, hint = HINTS[name]
    assert find_hint(actual, expected, 1e-4, 1e-4) == hint


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (VALUES, VALUES),
        (0.123, 0.9),
        (0.01, 0.0),
        (torch.zeros(3), torch.tensor([0.2, 0.7, 0.4])),
        (np.array([0.3, 0.9, 0.1]), np.array([0.5, 0.2, 0.8])),
        (torch.empty(0), torch.empty(0)),
        ("abc", "abd"),
        ([], {}),
    ],
)
def test_nothing_is_guessed_without_evidence(actual: Any, expected: Any) -> None:
    """A wrong hint costs a learner more than none."""
    assert find_hint(actual, expected, 1e-4, 1e-4) is None


def test_random_numbers_seldom_earn_a_hint() -> None:
    """Any one factor explains one number, so a named one must fit closely."""
    rng = np.random.default_rng(0)
    hints = [find_hint(float(a), float(b), 1e-4, 1e-4) for a, b in rng.random((1000, 2))]
    assert sum(hint is not None for hint in hints) <= 5


@pytest.mark.parametrize("name", hostile_names())
def test_hostile_value_earns_no_crash(name: str) -> None:
    """A hint is made beside the answers, in the referee."""
    value = HOSTILE[name]()
    for other in (None, 1.0, [1.0], (1.0,), torch.ones(3), np.ones(3), HOSTILE[name]()):
        for pair in ((value, other), (other, value)):
            hint = find_hint(*pair, 1e-4, 1e-4)
            assert hint is None or (hint.isprintable() and len(hint) < 700)


def test_overrides_of_a_subclass_are_never_called() -> None:
    """As for the comparison."""
    for value, plain in trapped_values().values():
        find_hint(value, (plain,), 1e-4, 1e-4)
        find_hint([value], (plain,), 1e-4, 1e-4)
        find_hint(value, 7.0, 1e-4, 1e-4)


def test_one_number_alone_is_not_explained_by_a_sample_size() -> None:
    """2/3 for 4/5 is 5/6, as n = 6 would give: chance, not a variance."""
    assert find_hint(2 / 3, 0.8, 1e-4, 1e-4) is None
