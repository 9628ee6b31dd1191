"""Runs a sound spec's own code in the jail: the faults that only execution can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from grader.errors import ReferenceFault
from grader.limits import Limits
from grader.outcome import Outcome
from grader.referees import Judged, Referee, RefereePool
from grader.sandbox.exchange import Usage
from grader.spec import Problem

# JSON path of the fault and its message.
Fault = tuple[str, str]


def executed_faults(referees: RefereePool, problem: Problem) -> list[Fault]:
    """Return what goes wrong when the reference and the cases of a problem are run.

    Raises:
        InternalFault: our own machinery failed.
    """
    limits = Limits.of(problem.time_limit_s, problem.memory_limit_mb, len(problem.cases))
    try:
        with referees.lend(problem, limits) as referee:
            if problem.test_code is None:
                return list(_declared(problem, referee))
            return list(_executed(problem, referee))
    except ReferenceFault as fault:
        return [(fault.path, str(fault))]


def _declared(problem: Problem, referee: Referee) -> Iterator[Fault]:
    for number in range(len(problem.cases)):
        steps: tuple[Callable[[int], object], ...] = (referee.inputs, referee.expect)
        for step in steps:
            try:
                step(number)
            except ReferenceFault as fault:
                yield fault.path, str(fault)
                break
        if not referee.usable:  # a step ran into a limit, and its process with it
            return


def _executed(problem: Problem, referee: Referee) -> Iterator[Fault]:
    """Run the test code with the reference in the submission's place."""
    recorded: list[tuple[str, bool]] = []

    def call(arguments: memoryview, act: dict[str, Any]) -> Outcome:
        # A lost call is answered by the reference itself.
        return Outcome(lost=True, used=Usage())

    def record(name: str, judged: Judged) -> None:
        recorded.append((name, judged.passed))

    referee.run_test_code(call, record)
    declared = [case.name for case in problem.cases]
    executed = [name for name, _ in recorded]
    if declared and executed != declared:
        yield "$.test_cases", _difference(executed, declared)
    for name, times in Counter(executed).items():
        if times > 1:
            yield "$.test_code", f"the case {name!r} is executed {times} times"
    for name, passed in recorded:
        if not passed:
            yield "$.test_code", f"the reference does not pass its own case {name!r}"


def _difference(executed: list[str], declared: list[str]) -> str:
    sentence = f"{len(executed)} cases are executed, {len(declared)} are declared"
    for name in executed:
        if name not in declared:
            return f"{sentence}: {name!r} is executed but not declared"
    for name in declared:
        if name not in executed:
            return f"{sentence}: {name!r} is declared but not executed"
    return f"{sentence}, in another order"
