"""Tells what this host gives, tries every forbidden act in a real worker, and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.doctor.host import Fact, host_facts
from grader.engine import Grader
from grader.errors import GraderError
from grader.report import Report, Verdict
from grader.spec import Problem, find_faults, list_problems
from grader.specs.problem_schema import problem_schema

_ACTS = Path(__file__).with_name("acts.py")


@dataclass(frozen=True)
class Act:
    """One forbidden act, tried: whether it was denied, and how."""

    name: str
    denied: bool
    how: str


@dataclass(frozen=True)
class Diagnosis:
    """What the doctor found.

    Attributes:
        level: "full", or "none" where the grader refuses to judge here.
        advice: what to do, most useful first; empty if nothing.
    """

    level: str
    facts: tuple[Fact, ...]
    acts: tuple[Act, ...]
    advice: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnosis as JSON."""
        return asdict(self)


def examine() -> Diagnosis:
    """Examine the host; never raises for what it finds."""
    facts = host_facts()
    advice = [fact.advice for fact in facts if fact.advice]
    try:
        with Grader() as grader:
            versions = grader.versions
            acts = _try_acts(grader)
    except GraderError as error:
        return Diagnosis("none", facts, (), (f"no isolation: {error}", *advice))
    facts = (*facts, *(Fact(name, version) for name, version in versions.items()))
    went_through = [act.name for act in acts if not act.denied]
    if went_through:
        report = "report this host and this output as a security bug"
        return Diagnosis("none", facts, acts, (f"NOT DENIED: {went_through}; {report}", *advice))
    return Diagnosis("full", facts, acts, tuple(advice))


def _try_acts(grader: Grader) -> tuple[Act, ...]:
    source = _ACTS.read_text("utf-8")
    names: dict[str, Any] = {"__name__": "acts"}
    exec(compile(source, str(_ACTS), "exec"), names)  # only to learn the names; none is called
    report = grader.grade(_problem(list(names["ACTS"])), source, static_check=False)
    return tuple(_act(report, number) for number in range(report.total))


def _act(report: Report, number: int) -> Act:
    case = report.cases[number]
    if case.verdict is Verdict.RUNTIME_ERROR and "SIGSYS" in case.message:
        return Act(case.case_name, True, "the process was killed")
    if case.verdict is Verdict.SECURITY_VIOLATION:
        return Act(case.case_name, True, case.message or report.message)
    return Act(case.case_name, case.passed, case.stdout.strip() or case.message or report.message)


def _problem(names: list[str]) -> Problem:
    """A problem whose cases are the acts, and whose right answer is to be denied."""
    some = json.loads(list_problems()[0].read_text("utf-8"))
    raw = {name: some[name] for name in problem_schema()["required"]}
    reference = "def attempt(name):\n    return 'denied'\n"
    bundle = str(list_problems()[0])
    raw |= {
        "entry_point": "attempt",
        "starter_code": reference,
        "reference_code": reference,
        "time_limit": 2.0,
        "test_cases": [
            {"name": name, "raw_inputs": {"name": repr(name.replace("BUNDLE", bundle))}}
            for name in names
        ],
    }
    problem, findings = find_faults("doctor.json", json.dumps(raw))
    if problem is None:
        raise GraderError("; ".join(map(str, findings)))
    return problem
