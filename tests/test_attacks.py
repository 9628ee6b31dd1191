"""Every hostile submission ends with a verdict its header allows; every honest one is accepted.

Both with the static check on (cases as data) and off (cases in test code): the sandbox must
hold alone. `test_ordinary_user.py` runs this file once more without root's powers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from aftermath import Listeners, markers, processes_left, report_is_whole
from attack_problems import by_test_code, declarative
from conftest import CORPUS

from grader import Grader, Problem

ATTACKS = sorted((CORPUS / "attacks").glob("*/*.py")) + sorted((CORPUS / "own").glob("*/*.py"))
HONEST = sorted((CORPUS / "honest").glob("*.py")) + sorted((CORPUS / "own_honest").glob("*.py"))
HONEST_SOURCE = (CORPUS / "honest" / "plain_reference_style.py").read_bytes()


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def expected_verdicts(source: bytes) -> set[str]:
    """The verdicts under `expect:` in a submission's header."""
    doc = ast.get_docstring(ast.parse(source.decode("utf-8-sig"))) or ""
    line = next(line for line in doc.splitlines() if line.startswith("expect:"))
    return {word.strip() for word in line.removeprefix("expect:").split(",")}


@cache
def _problem(static_check: bool, time_limit_s: float = 5.0) -> Problem:
    return declarative(time_limit_s) if static_check else by_test_code(time_limit_s)


@pytest.fixture(scope="module")
def listeners() -> Iterator[Listeners]:
    """Ears on the ports that attacks try to reach."""
    made = Listeners()
    yield made
    made.close()


@pytest.mark.parametrize("static_check", [True, False], ids=["checked", "unchecked"])
@pytest.mark.parametrize("path", HONEST, ids=_name)
def test_honest_submission_is_accepted(path: Path, static_check: bool, grader: Grader) -> None:
    """A judge that refuses right answers teaches nothing."""
    report = grader.grade(_problem(static_check), path.read_bytes(), static_check=static_check)
    assert report.verdict == "accepted", (report.message, report.violations, report.cases)


@pytest.mark.parametrize("static_check", [True, False], ids=["checked", "unchecked"])
@pytest.mark.parametrize("path", ATTACKS, ids=_name)
def test_attack_does_not_win(
    path: Path, static_check: bool, grader: Grader, listeners: Listeners
) -> None:
    """No verdict without the work, and no harm on the way."""
    source = path.read_bytes()
    allowed = expected_verdicts(source)
    # The corpus states 5 s; its endless loops end as surely after one.
    time_limit_s = 0.5 if "time_limit_exceeded" in allowed else 5.0
    if not static_check and allowed == {"forbidden"}:
        allowed = {"security_violation", "runtime_error", "wrong_answer"}
        allowed |= {"time_limit_exceeded", "memory_limit_exceeded", "output_limit_exceeded"}
    problem = _problem(static_check, time_limit_s)
    report = grader.grade(problem, source, static_check=static_check)
    assert report.verdict in allowed, (report.message, report.cases)
    assert report.attempts == 1
    report_is_whole(report)
    after = grader.grade(_problem(True), HONEST_SOURCE)
    assert after.verdict == "accepted", "the next honest submission is graded"
    assert processes_left(grader) <= 0
    assert not markers()
    assert not listeners.heard()
