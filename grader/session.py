"""One submission beside its workers: check it, load it, call it, and survive what it does.

A worker that hits a limit or ends is replaced at the next call.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.limits import Limits
from grader.outcome import (
    Malformed,
    Outcome,
    breach_outcome,
    ended_outcome,
    limit_outcome,
    read_outcome,
    read_violations,
)
from grader.report import Verdict
from grader.sandbox.child import Child
from grader.sandbox.exchange import Allowance, Breach, Died, LimitHit, Usage
from grader.sandbox.spares import Spares
from grader.spec import Checks, Problem
from grader.static_check import Violation

_MIB = 1 << 20
# Seconds on the clock that each CPU second adds to the whole submission's: a host as busy as
# the limit of one case allows for, three times slower, takes no time from a slow solution.
_GRACE = 2


@dataclass(frozen=True)
class Rules:
    """What a problem asks of every submission."""

    entry_point: str
    probe_code: str | None
    checks: Checks
    forbidden_modules: tuple[str, ...]
    forbidden_calls: tuple[str, ...]
    forbidden_apis: tuple[str, ...]
    limits: Limits
    cases: int

    @staticmethod
    def of(problem: Problem, limits: Limits) -> Rules:
        """The rules of a problem."""
        return Rules(
            problem.entry_point,
            problem.probe_code,
            problem.checks,
            problem.forbidden_modules,
            problem.forbidden_calls,
            problem.forbidden_apis,
            limits,
            len(problem.cases),
        )


@dataclass(frozen=True)
class Checked:
    """The outcome of parsing and checking."""

    violations: tuple[Violation, ...] = ()
    outcome: Outcome | None = None


class Session:
    """One submission under judgement. Use as a context manager.

    Args:
        spares: where workers come from.
        rules: the problem's.
        source: as sent.
        static_check: False leaves the wall alone to hold; for its tests.
    """

    def __init__(self, spares: Spares, rules: Rules, source: bytes, *, static_check: bool) -> None:
        self._spares = spares
        self._rules = rules
        self._source = source
        self._static_check = static_check
        self._worker: Child | None = None
        self._deadline = time.monotonic() + rules.limits.total_wall_s
        self._cpu_s = 0.0

    @property
    def limits(self) -> Limits:
        """What the submission may use."""
        return self._rules.limits

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self._drop()

    @property
    def spent(self) -> str | None:
        """Why no further case is begun, in a sentence; None while there is time."""
        if time.monotonic() > self._deadline + _GRACE * self._cpu_s:
            return f"all cases together may take {self.limits.total_wall_s:g} s on the clock"
        return None

    def check(self) -> Checked:
        """Parse the source and look for what the problem forbids; run nothing of it."""
        rules = self._rules
        request = {
            "op": "check",
            "forbidden_modules": rules.forbidden_modules if self._static_check else [],
            "forbidden_calls": rules.forbidden_calls if self._static_check else [],
            "forbidden_apis": rules.forbidden_apis if self._static_check else [],
        }
        outcome, head = self._ask(request, self._source)
        if outcome.lost:
            if outcome.verdict is Verdict.RUNTIME_ERROR:
                sentence = f"the source brought Python's parser down ({outcome.message})"
                outcome = Outcome(Verdict.INVALID_SUBMISSION, sentence, lost=True)
            return Checked(outcome=outcome)
        if head["outcome"] != "checked":
            return Checked(outcome=outcome)
        return Checked(read_violations(head))

    def load(self) -> Outcome:
        """Run the module level; a verdict in the outcome ends the submission."""
        request = {
            "op": "load",
            "entry_point": self._rules.entry_point,
            "no_alias": self._rules.checks.no_alias,
            "deterministic": self._rules.checks.deterministic,
            "forbidden_apis": self._rules.forbidden_apis,
        }
        outcome, _ = self._ask(request, (self._rules.probe_code or "").encode())
        return outcome

    def call(self, arguments: bytes | memoryview, seed: int) -> Outcome:
        """Call the entry point; on a fresh worker if the last one is gone."""
        return self._request({"op": "call", "seed": seed}, arguments)

    def act(self, arguments: bytes | memoryview, act: Mapping[str, Any]) -> Outcome:
        """Do something with the entry point or with an object it made: see `handles.Act`."""
        wanted = ("seed", "act", "target", "name", "places", "drop")
        return self._request({"op": "act", **{key: act[key] for key in wanted}}, arguments)

    def _request(self, request: dict[str, Any], arguments: bytes | memoryview) -> Outcome:
        if self._worker is None:
            checked = self.check()
            loaded = checked.outcome or self.load()
            if loaded.verdict is not None or loaded.lost:
                return loaded
        outcome, _ = self._ask(request, arguments)
        return outcome

    # --- one exchange -----------------------------------------------------------------

    def _ask(
        self, request: dict[str, Any], body: bytes | memoryview
    ) -> tuple[Outcome, dict[str, Any]]:
        limits = self._rules.limits
        may = Allowance(limits.wall_limit_s, limits.time_limit_s, limits.memory_limit_mb * _MIB)
        worker = self._worker or self._hire()
        try:
            answer = worker.exchange(request, body, may)
            outcome = read_outcome(answer)
            if not outcome.lost:
                self._cpu_s += outcome.used.cpu_s
                return outcome, answer.head
        except LimitHit as hit:
            outcome = limit_outcome(hit, limits)
        except Died as died:
            outcome = ended_outcome(died)
        except Breach as breach:
            outcome = breach_outcome(breach, breach.used)
        except Malformed as error:
            outcome = breach_outcome(error, Usage())
        self._cpu_s += outcome.used.cpu_s
        self._drop()
        return outcome, {}

    def _hire(self) -> Child:
        limits = self._rules.limits
        self._worker = self._spares.take()
        self._worker.limit(
            limits.memory_limit_mb * _MIB, limits.time_limit_s * (self._rules.cases + 2) + 1
        )
        return self._worker

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            self._spares.release(worker)
