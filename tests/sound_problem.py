"""A small problem that the author's gate has nothing to say about, to be spoilt in one respect."""

from __future__ import annotations

from typing import Any

from conftest import problem_from

from grader.authoring.workshop import Solution, Workpiece

STATEMENT = """Return the mean of squares, scaled, plus one half: $\\frac{s}{n} \\sum x^2 + 0.5$.

```python
>>> f([1.0, 3.0])
5.5
>>> f([])
Traceback (most recent call last):
    ...
ValueError: x must not be empty
```
"""
REFERENCE = """def f(x, scale=1.0):
    if len(x) < 1:
        raise ValueError("x must not be empty")
    return scale * sum(v**2 for v in x) / len(x) + 0.5
"""
GENERATE = """
def generate(rng, index, size=None):
    return {"x": rng.normal(size=size or int(rng.integers(3, 9))).tolist(), "scale": 1.5}
"""
_CHECK = "    if not x:\n        raise ValueError('x must not be empty')\n"
ACCEPTED = {
    "numpy.py": (
        f"import numpy as np\n\n\ndef f(x, scale=1.0):\n{_CHECK}"
        "    return float(scale * np.mean(np.square(x)) + 0.5)\n"
    ),
    "loop.py": (
        f"def f(x, scale=1.0):\n{_CHECK}    total = 0.0\n"
        "    for v in x:\n        total += scale * v * v / len(x)\n    return total + 0.5\n"
    ),
}
_MEAN = "sum(v * v for v in x) / len(x)"
_WRONG = {
    "banned.py": ("forbidden", f"import os\n\n\ndef f(x, scale=1.0):\n    return {_MEAN} + 0.5"),
    "crash.py": ("runtime_error", f"def f(x):\n{_CHECK}    return {_MEAN} + x.half"),
    "half_left_out.py": (
        "wrong_answer",
        f"def f(x, scale=1.0):\n{_CHECK}    return scale * {_MEAN}",
    ),
    "no_error.py": ("wrong_answer", f"def f(x, scale=1.0):\n    return scale * {_MEAN} + 0.5"),
    "scale_left_out.py": (
        "wrong_answer",
        f"def f(x, scale=1.0):\n{_CHECK}    return {_MEAN} + 0.5",
    ),
}
WRONG = {
    name: f'"""Trap: {name}.\n\nVerdict: {verdict}.\n"""\n\n\n{code}\n'
    for name, (verdict, code) in _WRONG.items()
}
EMPTY = {"type": "ValueError", "message": "x must not be empty"}
CASES: dict[str, dict[str, Any]] = {
    "two": {"raw_inputs": {"x": "[1.0, 3.0]"}},
    "one": {"raw_inputs": {"x": "[3.0]", "scale": "2.0"}},
    "none": {"raw_inputs": {"x": "[]"}, "hidden": True, "expect_error": EMPTY},
    "three": {"raw_inputs": {"x": "[0.5, -1.5, 2.5]"}, "hidden": True},
    "tenths": {"raw_inputs": {"x": "[0.1, 0.7, 0.3]", "scale": "-1.0"}, "hidden": True},
    "four": {"raw_inputs": {"x": "[4.0, 3.0, 2.0, -1.0]", "scale": "0.25"}, "hidden": True},
}


def sound_spec() -> dict[str, Any]:
    """The document, fresh at every call."""
    return {
        "slug": "mean-square",
        "title": "Mean of squares",
        "difficulty": "Easy",
        "category": "ML",
        "language": "en",
        "description_md": STATEMENT,
        "hints": ["Square first.", "Divide by the length, $n$."],
        "entry_point": "f",
        "starter_code": "def f(x):\n    pass\n",
        "reference_code": REFERENCE,
        "test_cases": [{"name": name, **case} for name, case in CASES.items()],
        "generated_cases": {"code": GENERATE, "count": 4, "seed": 3},
        "time_limit": 2.0,
        "memory_limit_mb": 256,
        "atol": 1e-6,
        "rtol": 1e-5,
        "forbidden_modules": ["os"],
        "editorial_md": "One sum, $O(n)$.\n",
        "translations": {
            "vi": {
                "title": "Trung bình bình phương",
                "description_md": STATEMENT.replace("Return", "Trả về"),
                "hints": ["Bình phương trước.", "Chia cho độ dài, $n$."],
                "editorial_md": "Một tổng, $O(n)$.\n",
            }
        },
    }


def solutions(sources: dict[str, str], verdicts: dict[str, str | None] | None = None) -> Any:
    """The solutions of these names and sources, with the verdicts that they are said to get."""
    told = verdicts or {}
    return tuple(
        Solution(name, source.encode(), told.get(name)) for name, source in sources.items()
    )


def sound_piece(
    accepted: dict[str, str] | None = None,
    wrong: dict[str, str] | None = None,
    verdicts: dict[str, str | None] | None = None,
    twin: str | None = None,
    **fields: Any,
) -> Workpiece:
    """The problem with other solutions, other named verdicts or other fields of the document.

    A field that is None is left out.
    """
    spec = {key: value for key, value in (sound_spec() | fields).items() if value is not None}
    wrong = WRONG if wrong is None else wrong
    named = {name: verdict for name, (verdict, _) in _WRONG.items()} | (verdicts or {})
    return Workpiece(
        slug=spec["slug"],
        problem=problem_from(spec),
        faults=(),
        accepted=solutions(ACCEPTED if accepted is None else accepted),
        wrong=solutions(wrong, {name: named.get(name, "wrong_answer") for name in wrong}),
        twin=twin,
    )
