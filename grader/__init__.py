"""TensorJudge: a sandboxed grader for PyTorch, NumPy and ML practice.

    from grader import Grader, load_problem

    with Grader(workers=2) as grader:
        report = grader.grade(load_problem("balanced-accuracy-macro-recall"), source)
        print(report.verdict)

Importing this package loads neither torch nor numpy; only the zygote does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "CaseResult": "grader.report",
    "Grader": "grader.engine",
    "IsolationUnavailable": "grader.errors",
    "Problem": "grader.spec",
    "Report": "grader.report",
    "SpecError": "grader.errors",
    "UnknownProblem": "grader.errors",
    "Verdict": "grader.report",
    "Violation": "grader.static_check",
    "compare_outputs": "grader.compare",
    "grade_many": "grader.batch.many",
    "load_problem": "grader.spec",
    "summarize_obj": "grader.summarize",
}

if TYPE_CHECKING:
    from grader.batch.many import grade_many
    from grader.compare import compare_outputs
    from grader.engine import Grader
    from grader.errors import IsolationUnavailable, SpecError, UnknownProblem
    from grader.report import CaseResult, Report, Verdict
    from grader.spec import Problem, load_problem
    from grader.static_check import Violation
    from grader.summarize import summarize_obj

__all__ = [
    "CaseResult",
    "Grader",
    "IsolationUnavailable",
    "Problem",
    "Report",
    "SpecError",
    "UnknownProblem",
    "Verdict",
    "Violation",
    "compare_outputs",
    "grade_many",
    "load_problem",
    "summarize_obj",
]


def __getattr__(name: str) -> Any:
    """Import on first use: the comparison needs torch, the rest should not wait for it."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'grader' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
