"""What came of one request to a submission: a worker's words, checked, or how it ended.

Past this module nothing a submission wrote is trusted to be of any shape: texts are inert
and bounded, names are names, and a verdict stands where the outcome alone decides it.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from grader.inert import inert
from grader.limits import MAX_CAPTURED_CHARS, MAX_MESSAGE_CHARS, MAX_PRINTED_BYTES, Limits
from grader.report import Verdict
from grader.sandbox.child import MAX_THREADS
from grader.sandbox.exchange import Answer, Died, LimitHit, Usage
from grader.static_check import Violation

# Torch, oneDNN and system calls say it in words of their own; NumPy's error is a MemoryError.
_OUT_OF_MEMORY = (
    "DefaultCPUAllocator: can't allocate memory",
    "std::bad_alloc",
    "[Errno 12] Cannot allocate memory",
)


class Malformed(Exception):
    """A reply that our own worker would not write."""


@dataclass(frozen=True)
class Outcome:
    """What came of one request to a submission.

    Attributes:
        verdict: where the outcome alone decides the case; None where a referee must compare.
        message: why, for the one who submitted.
        body: the encoded result of a call that returned.
        raised: type names and message of a call that raised.
        lost: the worker is gone.
        changed: names of arguments that the call changed.
        aliased: names of arguments that share memory with the result, where that was checked.
        object: number of the object that came of it, where that stays with the submission.
        exhausted: an iterator has no more.
        repeated: False where a second call gave another result.
    """

    verdict: Verdict | None = None
    message: str = ""
    body: memoryview = field(default_factory=lambda: memoryview(b""))
    raised: tuple[tuple[str, ...], str] | None = None
    lost: bool = False
    changed: tuple[str, ...] = ()
    aliased: tuple[str, ...] = ()
    repeated: bool = True
    object: int | None = None
    exhausted: bool = False
    stdout: str = ""
    stderr: str = ""
    used: Usage = field(default_factory=Usage)


def limit_outcome(hit: LimitHit, limits: Limits) -> Outcome:
    """The outcome of a request that took more than it may."""
    used = hit.used
    if hit.kind == "memory":
        sentence = f"{used.memory_mb:.0f} MiB used, {limits.memory_limit_mb} MiB allowed"
        return Outcome(Verdict.MEMORY_LIMIT_EXCEEDED, sentence, lost=True, used=used)
    if hit.kind == "threads":
        sentence = f"over {MAX_THREADS:,} threads at a time"
        return Outcome(Verdict.RUNTIME_ERROR, sentence, lost=True, used=used)
    if hit.kind == "time":
        sentence = f"{used.cpu_s:.2f} s of CPU time used, {limits.time_limit_s:g} s allowed"
    else:
        sentence = (
            f"no answer after {used.wall_s:.1f} s ({used.cpu_s:.2f} s of CPU time used), "
            f"{limits.wall_limit_s:g} s allowed"
        )
    return Outcome(Verdict.TIME_LIMIT_EXCEEDED, sentence, lost=True, used=used)


def breach_outcome(reason: object, used: Usage) -> Outcome:
    """The outcome of a request whose answer was none."""
    sentence = f"the grader's channel was written to: {reason}"
    return Outcome(Verdict.SECURITY_VIOLATION, sentence, lost=True, used=used)


def ended_outcome(died: Died) -> Outcome:
    """The outcome of a request during which the process ended."""
    verdict, sentence = Verdict.RUNTIME_ERROR, "the process ended without an answer"
    if died.exit is None:
        sentence = "the process closed the grader's channel"
    elif died.exit == -signal.SIGSYS:
        verdict, sentence = Verdict.SECURITY_VIOLATION, "a system call that is never allowed"
    elif died.exit == -signal.SIGXCPU:
        verdict, sentence = Verdict.TIME_LIMIT_EXCEEDED, "the CPU time of all cases was used up"
    elif died.exit < 0:
        sentence = f"the process crashed ({_signal_name(-died.exit)})"
    elif died.exit > 0:
        sentence = f"the process ended with exit code {died.exit} and no answer"
    return Outcome(verdict, sentence, lost=True, used=died.used)


def read_violations(head: Mapping[str, Any]) -> tuple[Violation, ...]:
    """The static check's findings; written before any of the source ran, so our own words."""
    return tuple(
        Violation(rule, line, column, inert(message, MAX_MESSAGE_CHARS))
        for rule, line, column, message in head["violations"]
    )


def read_outcome(answer: Answer) -> Outcome:
    """Read a worker's reply.

    Raises:
        Malformed: it is none of ours.
    """
    head = answer.head
    outcome = _by_kind(head, answer.body)
    return replace(
        outcome,
        stdout=_text(head, "stdout", MAX_CAPTURED_CHARS),
        stderr=_text(head, "stderr", MAX_CAPTURED_CHARS),
        used=answer.used,
    )


def _by_kind(head: Mapping[str, Any], body: memoryview) -> Outcome:
    match head.get("outcome"):
        case "checked" | "loaded":
            return Outcome()
        case "returned":
            return Outcome(
                body=body,
                changed=_names(head.get("changed")),
                aliased=_names(head.get("aliased", [])),
                repeated=head.get("repeated", True) is True,
            )
        case "raised":
            return _exception_outcome(head)
        case "object":
            return Outcome(object=_number(head.get("object")), changed=_names(head.get("changed")))
        case "exhausted":
            return Outcome(exhausted=True)
        case "forbidden":
            return Outcome(Verdict.FORBIDDEN, _text(head, "message") + _place(head))
        case "uncrossable":
            return Outcome(Verdict.WRONG_ANSWER, _text(head, "message"))
        case "too_large":
            return Outcome(Verdict.OUTPUT_LIMIT_EXCEEDED, _text(head, "message"))
        case "invalid":
            line, column = _number(head.get("line")), _number(head.get("column"))
            place = f"line {line}" + (f", column {column}" if column else "") if line else ""
            message = _text(head, "message")
            return Outcome(Verdict.INVALID_SUBMISSION, f"{place}: {message}" if place else message)
        case "output_limit":
            sentence = f"over {MAX_PRINTED_BYTES >> 20} MiB was printed in one case"
            return Outcome(Verdict.OUTPUT_LIMIT_EXCEEDED, sentence, lost=True)
        case _:
            raise Malformed("an answer of no known kind")


def _exception_outcome(head: Mapping[str, Any]) -> Outcome:
    names = _names(head.get("type_names")) or ("Exception",)
    message = _text(head, "message")
    sentence = (f"{names[0]}: {message}" if message else names[0]) + _place(head)
    verdict = Verdict.RUNTIME_ERROR
    if "MemoryError" in names or any(words in message for words in _OUT_OF_MEMORY):
        verdict, sentence = Verdict.MEMORY_LIMIT_EXCEEDED, f"out of memory: {sentence}"
    elif "PermissionError" in names:
        verdict, sentence = Verdict.SECURITY_VIOLATION, f"the sandbox refused it: {sentence}"
    return Outcome(verdict, sentence, raised=(names, message))


def _place(head: Mapping[str, Any]) -> str:
    line, function = _number(head.get("line")), head.get("function")
    if line is None:
        return ""
    if type(function) is not str or function == "<module>":
        return f" (line {line})"
    return f" (line {line} in {inert(function, 100)})"


def _text(head: Mapping[str, Any], key: str, limit: int = MAX_MESSAGE_CHARS) -> str:
    value = head.get(key, "")
    if type(value) is not str:
        raise Malformed(f"{key} is no text")
    return inert(value, limit)


def _number(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 31 else None


def _names(value: object) -> tuple[str, ...]:
    if type(value) is not list or len(value) > 64 or not all(type(x) is str for x in value):
        raise Malformed("names that are no texts")
    return tuple(inert(name, 200) for name in value)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
