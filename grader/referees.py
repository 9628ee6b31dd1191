"""Referees from outside: one warm process a problem, lent to one submission at a time."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from grader.errors import InternalFault, ReferenceFault
from grader.limits import Limits
from grader.outcome import Outcome
from grader.sandbox.exchange import Allowance, Answer, Breach, Died, LimitHit
from grader.sandbox.keeper import Keeper
from grader.spec import Case, Problem

# Warm referees that wait for their problem to come again; each holds some 15 MB of its own.
MAX_IDLE = 32
# Memory of the reference, its expected values and the comparison.
_MEMORY_BYTES = 4 << 30
_TOTAL_CPU_S = 24 * 3600.0
# A comparison of two values at the size limit takes seconds.
_COMPARE_S = 60.0
# Encoded inputs kept in the host, so that a second referee need not make them again.
_MAX_KEPT_INPUT = 1 << 20


def seed_for(slug: str, number: int) -> int:
    """The random seed of a case, equal on both sides and in every run.

    Args:
        slug: the problem's.
        number: 0-based position of the case.

    Returns:
        0 to 2**32 - 1.
    """
    return int.from_bytes(sha256(f"{slug}:{number}".encode()).digest()[:4], "big")


@dataclass(frozen=True)
class Judged:
    """What the referee says of one case."""

    passed: bool
    message: str = ""
    max_diff: float | str | None = None
    where: str | None = None
    hint: str | None = None
    user_output_summary: Any = None
    expected_summary: Any = None


class Referee:
    """One open problem in its process.

    Attributes:
        draws_by_size: whether its generator takes a size.
    """

    def __init__(self, keeper: Keeper, problem: Problem, limits: Limits) -> None:
        self._expected: set[tuple[int, int | None]] = set()
        self._keeper = keeper
        self._step = Allowance(limits.wall_limit_s + _COMPARE_S)
        self._reference = Allowance(limits.wall_limit_s, limits.time_limit_s)
        self._child = keeper.spawn("referee")
        keeper.await_ready(self._child)
        self._child.limit(_MEMORY_BYTES, _TOTAL_CPU_S)
        opened = self._ask({"op": "open"}, json.dumps(_order(problem)).encode(), self._reference)
        self.draws_by_size = opened.head["draws_by_size"] is True

    @property
    def usable(self) -> bool:
        """Whether the process waits for a request."""
        return self._child.usable

    def close(self) -> None:
        """End the process."""
        self._keeper.release(self._child)

    def inputs(self, number: int, size: int | None = None) -> bytes:
        """The encoded arguments of a declarative case, or of a drawn one of some size."""
        request = {"op": "inputs", "case": number, "size": size}
        return bytes(self._ask(request, b"", self._reference).body)

    def describe(
        self, number: int, size: int | None = None, max_chars: int | None = None
    ) -> dict[str, str]:
        """The arguments of a case as Python expressions, where those are short enough."""
        request = {"op": "describe", "case": number, "size": size, "max_chars": max_chars}
        shown: dict[str, str] = json.loads(bytes(self._ask(request, b"", self._step).body))
        return shown

    def study(self, number: int) -> dict[str, Any]:
        """What `case_study` finds out about a case."""
        request = {"op": "study", "case": number, "size": None}
        found: dict[str, Any] = json.loads(bytes(self._ask(request, b"", self._step).body))
        return found

    def run_examples(self, sources: list[str]) -> list[str]:
        """What each statement prints where the reference is at hand."""
        body = json.dumps(sources).encode()
        answer = self._ask({"op": "examples"}, body, self._step)
        printed: list[str] = json.loads(bytes(answer.body))
        return printed

    def expect(self, number: int, size: int | None = None) -> None:
        """Have the expected outcome of a declarative case computed, once; under its limits."""
        if (number, size) not in self._expected:
            self._ask({"op": "expect", "case": number, "size": size}, b"", self._reference)
            self._expected.add((number, size))

    def begin_compare(self, number: int, outcome: Outcome, size: int | None = None) -> None:
        """Have the outcome of a declarative case compared; `end_compare` must follow."""
        self.expect(number, size)
        request = {"op": "compare", "case": number, "size": size, "raised": outcome.raised}
        self._send(request, outcome.body, self._step)

    def end_compare(self) -> Judged:
        """Return what came of the comparison that was begun."""
        head = self._receive("compare").head
        if head["outcome"] == "unreadable":
            return Judged(False, head["message"])
        return _judged(head)

    def run_test_code(
        self,
        call: Callable[[memoryview, dict[str, Any]], Outcome | None],
        record: Callable[[str, Judged], None],
    ) -> str:
        """Run the problem's `test_code`.

        Args:
            call: takes arguments and what to do with them, and has the submission do it; None
                when the judge wants the run to end.
            record: takes each finished case by name.

        Returns:
            How it ended: "finished"; "stopped" by the judge; "escaped" where nothing in it caught
            what the submission raised.
        """
        answer = self._ask({"op": "run"}, b"", self._step)
        while True:
            for said in answer.head["records"]:
                record(said["case_name"], _judged(said))
            kind = answer.head["outcome"]
            if kind == "call":
                answer = self._answer_call(call(answer.body, answer.head))
            elif kind == "records":
                answer = self._ask({"op": "go_on"}, b"", self._step)
            else:
                return str(kind)

    def _answer_call(self, outcome: Outcome | None) -> Answer:
        if outcome is None:
            return self._ask({"op": "stop"}, b"", self._step)
        if outcome.lost or (outcome.verdict is not None and outcome.raised is None):
            return self._ask({"op": "lost"}, b"", self._step)
        request = {
            "op": "answer",
            "raised": outcome.raised,
            "object": outcome.object,
            "exhausted": outcome.exhausted,
        }
        return self._ask(request, outcome.body, self._step)

    def _ask(self, request: dict[str, Any], body: bytes | memoryview, may: Allowance) -> Answer:
        self._send(request, body, may)
        return self._receive(request["op"])

    def _send(self, request: dict[str, Any], body: bytes | memoryview, may: Allowance) -> None:
        with _explained(request["op"]):
            self._child.ask(request, body, may)

    def _receive(self, op: str) -> Answer:
        with _explained(op):
            answer = self._child.answer()
        if answer.head["outcome"] == "fault":
            raise ReferenceFault(answer.head["message"], answer.head["path"])
        return answer


@contextmanager
def _explained(op: str) -> Iterator[None]:
    """Tell the author's faults from ours where a referee does not answer."""
    try:
        yield
    except LimitHit as hit:
        raise ReferenceFault(
            f"the author's code took over {hit.used.wall_s:.1f} s "
            f"({hit.used.cpu_s:.1f} s of CPU time) in one step ({op})"
        ) from None
    except Died as died:
        raise InternalFault(f"the referee ended ({died})") from None
    except Breach as breach:
        raise InternalFault(f"the referee wrote {breach}") from None


def _judged(said: dict[str, Any]) -> Judged:
    return Judged(
        passed=said["passed"] is True,
        message=said["message"],
        max_diff=said["max_diff"],
        where=said.get("where"),
        hint=said.get("hint"),
        user_output_summary=said["user_output_summary"],
        expected_summary=said["expected_summary"],
    )


def _order(problem: Problem) -> dict[str, Any]:
    """What a referee is told of its problem."""
    drawn = problem.generated_cases
    return {
        "slug": problem.slug,
        "entry_point": problem.entry_point,
        "reference_code": problem.reference_code,
        "setup_code": problem.setup_code,
        "probe_code": problem.probe_code,
        "test_code": problem.test_code,
        "generated": None if drawn is None else {"code": drawn.code, "seed": drawn.seed},
        "atol": problem.atol,
        "rtol": problem.rtol,
        "loosen": sorted(problem.loosened),
        "seed": seed_for(problem.slug, 0),
        "call_seeds": [seed_for(problem.slug, number) for number in range(256)],
        "cases": [_case_order(problem, n, case) for n, case in enumerate(problem.cases)],
    }


def _case_order(problem: Problem, number: int, case: Case) -> dict[str, Any]:
    error = case.expect_error
    return {
        "name": case.name,
        "raw_inputs": dict(case.raw_inputs),
        "atol": problem.atol if case.atol is None else case.atol,
        "rtol": problem.rtol if case.rtol is None else case.rtol,
        "expect_error": None if error is None else {"type": error.type, "message": error.message},
        "seed": seed_for(problem.slug, number),
        "drawn": case.drawn,
    }


class RefereePool:
    """Warm referees by problem. Safe to use from several threads."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._lock = threading.Lock()
        self._idle: OrderedDict[str, list[Referee]] = OrderedDict()
        self._inputs: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    @contextmanager
    def lend(self, problem: Problem, limits: Limits) -> Iterator[Referee]:
        """Lend a referee of the problem; one that failed is not kept.

        Raises:
            ReferenceFault: the problem's own code fails.
            InternalFault: the process cannot be had.
        """
        referee = self._take(problem.digest) or Referee(self._keeper, problem, limits)
        try:
            yield referee
        except BaseException:
            referee.close()
            raise
        self._put(problem.digest, referee)

    def kept_inputs(self, problem: Problem, number: int) -> bytes | None:
        """The encoded arguments of a case, if they were made before and are small."""
        key = (problem.digest, number)
        with self._lock, suppress(KeyError):
            self._inputs.move_to_end(key)
            return self._inputs[key]
        return None

    def inputs(self, referee: Referee, problem: Problem, number: int) -> bytes:
        """The encoded arguments of a case, made by an idle referee and kept where small."""
        made = referee.inputs(number)
        if len(made) <= _MAX_KEPT_INPUT:
            with self._lock:
                self._inputs[problem.digest, number] = made
                while len(self._inputs) > 1024:
                    self._inputs.popitem(last=False)
        return made

    def _take(self, digest: str) -> Referee | None:
        while True:
            with self._lock:
                waiting = self._idle.get(digest)
                if not waiting:
                    return None
                referee = waiting.pop()
            if referee.usable:
                return referee
            referee.close()

    def _put(self, digest: str, referee: Referee) -> None:
        with self._lock:
            self._idle.setdefault(digest, []).append(referee)
            self._idle.move_to_end(digest)
            surplus = []
            while sum(map(len, self._idle.values())) > MAX_IDLE:
                oldest = next(iter(self._idle.values()))
                if oldest:
                    surplus.append(oldest.pop())
                else:
                    self._idle.popitem(last=False)
        for unwanted in surplus:
            unwanted.close()
