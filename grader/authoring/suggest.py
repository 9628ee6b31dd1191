"""Searches inputs that tell a surviving mutant from the reference, and offers them as cases."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

from grader.authoring.mutants import Mutant
from grader.engine import Grader
from grader.errors import ReferenceFault
from grader.spec import Case, ExpectedError, Problem

_MOST_MUTANTS = 20
_MOST_CANDIDATES = 400
_DRAWN = 60  # draws of the problem's own generator beyond its cases
_LONGEST = 2_000  # characters of a case worth writing down
_RAISES = re.compile(r"the reference raises (\w+)(?: at line \d+ of the field)?: (.*)", re.DOTALL)


def suggest_cases(
    grader: Grader, problem: Problem, survivors: list[Mutant]
) -> list[dict[str, Any]]:
    """Return for each survivor that can be killed the smallest input found, as a test case.

    The author decides whether the input is within the contract.
    """
    if not survivors:
        return []
    candidates = _sound(grader, problem, list(_candidates(grader, problem)))
    widened = replace(problem, cases=tuple(candidates), digest=_digest(problem, candidates))
    found: list[dict[str, Any]] = []
    for mutant in survivors[:_MOST_MUTANTS]:
        report = grader.grade(widened, mutant.source, static_check=False)
        failing = [candidates[case.case_id - 1] for case in report.cases if _differs(case.verdict)]
        if failing:
            smallest = min(failing, key=_length)
            found.append(_as_case(mutant, smallest, len(found)))
    return found


def _differs(verdict: str) -> bool:
    return verdict in ("wrong_answer", "runtime_error")


def _length(case: Case) -> int:
    return sum(map(len, case.raw_inputs.values()))


def _digest(problem: Problem, cases: list[Case]) -> str:
    text = problem.digest + "".join(str(case.raw_inputs) for case in cases)
    return sha256(text.encode()).hexdigest()


def _as_case(mutant: Mutant, case: Case, place: int) -> dict[str, Any]:
    error = case.expect_error
    expected = {} if error is None else {"expect_error": {"type": error.type}}
    if error is not None and error.message:
        expected["expect_error"]["message"] = error.message
    return {
        "name": f"suggested {place}",
        "input_desc": f"kills `{mutant.before}` → `{mutant.after}`",
        "raw_inputs": case.raw_inputs,
        "hidden": True,
        **expected,
    }


def _candidates(grader: Grader, problem: Problem) -> Iterator[Case]:
    """Yield inputs near the declared ones, then drawn ones, each once."""
    seen: set[str] = set()
    count = 0
    for inputs in (*_neighbours(problem), *_draws(grader, problem)):
        text = str(inputs)
        if text not in seen and len(text) <= _LONGEST and count < _MOST_CANDIDATES:
            seen.add(text)
            yield Case(f"candidate {count}", "", (), inputs)
            count += 1


def _draws(grader: Grader, problem: Problem) -> Iterator[dict[str, str]]:
    if problem.generated_cases is None:
        return
    first = next(n for n, case in enumerate(problem.cases) if case.drawn is not None)
    case = problem.cases[first]
    more = [replace(case, name=f"drawn {n}", drawn=n) for n in range(_DRAWN)]
    wider = replace(problem, cases=tuple(more), digest=_digest(problem, more))
    with grader.referee(wider) as referee:
        for number in range(_DRAWN):
            for size in (1, 2, 3, None) if referee.draws_by_size else (None,):
                inputs = referee.describe(number, size, _LONGEST)
                if not any(text.startswith("<not shown") for text in inputs.values()):
                    yield inputs


def _neighbours(problem: Problem) -> Iterator[dict[str, str]]:
    """Each declared case with one literal changed to what is often forgotten."""
    for case in problem.cases:
        for name, expression in case.raw_inputs.items():
            for changed in _changed(expression):
                yield {**case.raw_inputs, name: changed}


def _changed(expression: str) -> Iterator[str]:
    """Yield an expression with one literal, list or element changed."""
    tree = ast.parse(expression, mode="eval")
    for place, node in enumerate(ast.walk(tree)):
        for other in _others(node):
            again = ast.parse(expression, mode="eval")
            target = list(ast.walk(again))[place]
            yield ast.unparse(_Replaced(target, other).visit(again))


class _Replaced(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.expr) -> None:
        self._target, self._other = target, other

    def visit(self, node: ast.AST) -> Any:
        return self._other if node is self._target else super().generic_visit(node)


def _others(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Constant(value=bool(flag)):
            yield ast.Constant(not flag)
        case ast.Constant(value=int(number)):
            yield from _written(number, (0, 1, number + 1, number - 1, 10 * number))
        case ast.Constant(value=float(real)):
            yield from _written(real, (0.0, real + 1e-3, -real, 1e3 * real, 0.5))
            for name in ("math.inf", "math.nan"):
                yield ast.parse(name, mode="eval").body
        case ast.List(elts=elements):
            if elements:
                yield ast.List(elements[:-1], ast.Load())
                yield ast.List(elements[1:], ast.Load())
                yield ast.List([*elements, elements[0]], ast.Load())
                yield ast.List(elements[::-1], ast.Load())
            if len(elements) > 1:
                yield ast.List(elements[:1], ast.Load())
                yield ast.List([elements[0]] * len(elements), ast.Load())


def _written(number: float, others: Iterable[float]) -> Iterator[ast.expr]:
    for other in others:
        if other != number:
            yield ast.parse(repr(other), mode="eval").body


def _sound(grader: Grader, problem: Problem, candidates: list[Case]) -> list[Case]:
    """Keep the candidates for which the reference returns, or raises what can be expected."""
    kept: list[Case] = []
    with_error: list[Case] = []
    todo = list(candidates)
    while todo:
        told = _faults(grader, problem, todo)
        for case, fault in zip(todo, told, strict=False):
            if fault is None:
                kept.append(case)
            elif (raised := _RAISES.search(fault)) and raised[1] == "ValueError":
                error = ExpectedError(raised[1], raised[2].strip() or None)
                with_error.append(replace(case, expect_error=error))
        todo = todo[max(len(told), 1) :]
    sound = (*kept, *with_error)
    return [replace(case, name=f"candidate {place}") for place, case in enumerate(sound)]


def _faults(grader: Grader, problem: Problem, cases: list[Case]) -> list[str | None]:
    """What goes wrong with the reference in each case, as far as its process lives to tell."""
    wide = replace(problem, cases=tuple(cases), digest=_digest(problem, cases))
    told: list[str | None] = []
    with grader.referee(wide) as referee:
        for number in range(len(cases)):
            try:
                referee.inputs(number)
                referee.expect(number)
                told.append(None)
            except ReferenceFault as fault:
                told.append(str(fault))
                if not referee.usable:
                    break
    return told
