"""A new problem to start from: small, complete in form, and with what is missing marked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.authoring.folders import unpack

_STATEMENT = """\
TODO: say what to compute. This template asks for the mean of the squares of a list,
$m = \\frac{1}{n} \\sum_{i=1}^{n} x_i^2$.

### Signature

```python
def solve(x: list[float]) -> float:
```

- `x`: at least one number; it must not be changed.
- Returns a float.
- Raises `ValueError` with the text `empty` if `x` is empty.

### Examples

```python
>>> solve([1.0, 2.0, 3.0])
4.666666666666667
>>> solve([-2.0])
4.0
```
"""
_EDITORIAL = """\
TODO: derive the formula, name each trap with the case that shows it, and give the costs.

Squares do not cancel: the square of the mean, a common slip, is smaller (case "two signs").
One pass over $n$ numbers takes $O(n)$ time and no memory.
"""
_STARTER = """\
def solve(x: list[float]) -> float:
    # TODO: what the learner starts from
    pass
"""
_REFERENCE = '''\
def solve(x: list[float]) -> float:
    """Mean of squares.

    Source: definition.
    """
    if not x:
        raise ValueError("empty")
    return sum(value * value for value in x) / len(x)
'''
_GENERATE = """\
def generate(rng, index, size=None):
    n = size or int(rng.integers(5, 30))
    return {"x": rng.normal(size=n).tolist()}
"""
_CASES: list[dict[str, Any]] = [
    {"name": "three numbers", "raw_inputs": {"x": "[1.0, 2.0, 3.0]"}},
    {"name": "one number", "raw_inputs": {"x": "[-2.0]"}},
    {"name": "two signs", "raw_inputs": {"x": "[3.0, -3.0]"}, "hidden": True},
    {"name": "zeros and one", "raw_inputs": {"x": "[0.0, 0.0, 4.0]"}, "hidden": True},
    {
        "name": "empty",
        "raw_inputs": {"x": "[]"},
        "hidden": True,
        "expect_error": {"type": "ValueError", "message": "empty"},
    },
]
_FIRST_RIGHT = """\
import math


def solve(x):
    if len(x) == 0:
        raise ValueError("empty")
    return math.fsum(value**2 for value in x) / len(x)
"""
_FIRST_WRONG = '''\
"""Trap: the square of the mean.

Verdict: wrong_answer.
"""


def solve(x):
    if not x:
        raise ValueError("empty")
    return (sum(x) / len(x)) ** 2
'''


def new_problem(slug: str, folder: Path) -> list[Path]:
    """Write a problem to start from into a folder and return its files.

    Raises:
        FileExistsError: the folder holds a problem already.
    """
    raw: dict[str, Any] = {
        "slug": slug,
        "title": slug.replace("-", " ").capitalize(),
        "difficulty": "Easy",
        "difficulty_breakdown": {
            "concept": 1,
            "implementation": 1,
            "math_derivation": 1,
            "boundary_complexity": 1,
        },
        "category": "ML",
        "tags": [],
        "language": "en",
        "description_md": _STATEMENT,
        "hints": ["TODO: a gentle hint."],
        "entry_point": "solve",
        "starter_code": _STARTER,
        "reference_code": _REFERENCE,
        "test_cases": _CASES,
        "generated_cases": {"code": _GENERATE, "count": 4, "seed": 1},
        "time_limit": 1,
        "memory_limit_mb": 256,
        "atol": 1e-9,
        "rtol": 1e-9,
        "forbidden_modules": [],
        "editorial_md": _EDITORIAL,
    }
    unpack(raw, folder)
    for name, text in (
        ("accepted/fsum.py", _FIRST_RIGHT),
        ("wrong/square_of_mean.py", _FIRST_WRONG),
    ):
        (folder / name).write_text(text, "utf-8")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def marks_left(folder: Path) -> list[str]:
    """Return file and line of each TODO that is still in a folder."""
    return [
        f"{path.relative_to(folder)}:{number}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in (".md", ".py", ".json")
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if "TODO" in line
    ]
