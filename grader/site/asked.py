"""What of a problem is to be judged: all of it, its shown cases, or one input of the learner's.

An input of one's own is an expression that the referee evaluates, in the process that holds the
reference. So it may be made of numbers, texts, lists and a few constructors, and of nothing else.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grader.site.store import Submission
from grader.spec import Problem, find_faults, to_canonical_json

_MOST_CHARS = 20_000
_MOST_NODES = 5_000
_CONSTRUCTORS = frozenset({"torch.tensor", "np.array", "torch.zeros", "torch.ones", "torch.arange"})
_NAMES = frozenset(
    {"math.inf", "math.nan", "math.pi", "np.inf", "np.nan", "torch.inf", "torch.nan"}
    | {f"torch.{kind}" for kind in ("float16", "float32", "float64", "int32", "int64", "bool")}
    | {f"np.{kind}" for kind in ("float32", "float64", "int32", "int64", "uint8", "bool_")}
)
# Of numbers in a constructor that makes as many elements as it says.
_LARGEST = 100_000
_ALLOWED = (
    *(ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp),
    *(ast.USub, ast.UAdd, ast.Load, ast.keyword),
)


class BadInput(ValueError):
    """An input of one's own that is not allowed or does not fit; the message names the place."""


@dataclass(frozen=True)
class Asked:
    """A spec that is to be judged."""

    text: str
    digest: str


def spec_asked(problem: Problem, submission: Submission) -> Asked:
    """Return what a submission is to be judged by."""
    if submission.kind == "submit" or problem.test_code is not None:
        return Asked(_text(problem.raw), problem.digest)
    if submission.custom_input:
        return own_spec(problem, submission.custom_input)
    shown = [case for case in problem.raw["test_cases"] if not case.get("hidden")]
    return _made(_with_cases(problem, shown))


def own_spec(problem: Problem, custom_input: str) -> Asked:
    """Return the spec with one case: an input of the learner's, as `read_input` gives it.

    Raises:
        BadInput: it does not fit the problem's parameters.
    """
    case = {"name": "your input", "raw_inputs": json.loads(custom_input)}
    return _made(_with_cases(problem, [case]))


def read_input(problem: Problem, text: str) -> str:
    """Check an input of the learner's and return it as JSON: expressions by parameter.

    Args:
        text: lines `name = expression`, in any order.

    Raises:
        BadInput: a line is no such thing, a name is unknown, or an expression is not allowed.
    """
    if len(text) > _MOST_CHARS:
        raise BadInput(f"at most {_MOST_CHARS} characters")
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        raise BadInput(f"line {line}: no Python" if line else "no Python") from None
    known = {name for case in problem.cases for name in case.raw_inputs}
    given: dict[str, str] = {}
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in known:
                given[name] = _checked(value, statement.lineno)
            case _:
                names = ", ".join(sorted(known))
                raise BadInput(
                    f"line {statement.lineno}: `name = value` expected, with a name of {names}"
                )
    if not given:
        raise BadInput("nothing is given")
    return json.dumps(given)


def _checked(value: ast.expr, line: int) -> str:
    nodes = list(ast.walk(value))
    if len(nodes) > _MOST_NODES:
        raise BadInput(f"line {line}: too long")
    inside: set[int] = set()  # parts of a dotted name that was looked at as a whole
    for node in nodes:
        if id(node) in inside or isinstance(node, _ALLOWED):
            continue
        if isinstance(node, ast.Attribute) and ast.unparse(node) in _NAMES | _CONSTRUCTORS:
            inside |= {id(part) for part in ast.walk(node)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in _CONSTRUCTORS:
            _check_size(node, line)
        else:
            raise BadInput(
                f"line {line}: `{ast.unparse(node)[:60]}` is not allowed; numbers, texts, lists, "
                f"{', '.join(sorted(_CONSTRUCTORS))} are"
            )
    return ast.unparse(value)


def _check_size(call: ast.Call, line: int) -> None:
    if ast.unparse(call.func) in ("torch.zeros", "torch.ones", "torch.arange"):
        size = 1
        for node in ast.walk(call):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
                size *= max(abs(int(node.value)), 1)
        if size > _LARGEST:
            raise BadInput(f"line {line}: at most {_LARGEST} elements")


def _with_cases(problem: Problem, cases: list[dict[str, Any]]) -> str:
    raw = {key: value for key, value in problem.raw.items() if key != "generated_cases"}
    return to_canonical_json(raw | {"test_cases": cases})


@lru_cache(maxsize=256)
def _made(text: str) -> Asked:
    problem, findings = find_faults("asked", text)
    if problem is None:
        raise BadInput("; ".join(finding.message for finding in findings))
    return Asked(text, problem.digest)


def _text(raw: dict[str, Any]) -> str:
    return json.dumps(raw)
