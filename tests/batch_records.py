"""Records of a batch for tests: of every verdict and fault, and with texts that mean harm."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from grader.batch.records import Fault, Record

VERDICTS = (
    "accepted",
    "wrong_answer",
    "runtime_error",
    "time_limit_exceeded",
    "memory_limit_exceeded",
    "output_limit_exceeded",
    "forbidden",
    "security_violation",
    "invalid_submission",
    "internal_error",
)
FAULTS = ("unknown_problem", "unreadable", "malformed", "duplicate_id")

# What a name, a message or a value may hold, and what it tries.
HOSTILE = {
    "terminal escapes": "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "NUL and controls": "a\x00b\x01\x08\x0b\x0c\x7f\x85",
    "lone surrogates": "x\ud800y\udfff",
    "noncharacters": "\ufffe\uffff\U0001fffe",
    "markup": "</script><img src=x onerror=alert(1)><!--",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "CDATA end": "]]>&amp;<![CDATA[",
    "bidi marks": "\u202egnp.exe\u2066\u2069\u200f",
    "formula": "=cmd|' /C calc'!A0",
    "formula after semicolon": 'a;=HYPERLINK("http://x")',
    "commas, quotes, lines": 'O\'Neil, "Bob"\r\nsecond\nthird\rfourth\u2028fifth',
    "markdown": "| [x](http://x) `code` ![i](http://i) **b** @everyone #1 $x$ ~~s~~ <b>\\|",
    "workflow command": "\n::error file=x::owned\r\n::stop-commands::t%0A::x",
    "long": "z" * 5_000,
    "joiners": "क्‍ष नाम\u200cها",
}


def case(number: int, verdict: str = "accepted", **changed: Any) -> dict[str, Any]:
    """Return one case of a report."""
    made: dict[str, Any] = {
        "case_id": number,
        "case_name": f"case {number}",
        "verdict": verdict,
        "hidden": False,
        "message": "",
        "time_ms": 1.5,
        "cpu_ms": 1.25,
        "memory_mb": 2.0,
        "max_diff": None,
        "where": None,
        "hint": None,
        "user_output_summary": None,
        "expected_summary": None,
        "input": None,
        "generated": None,
        "stdout": "",
        "stderr": "",
        "passed": verdict == "accepted",
    }
    return {**made, **changed}


def wrong_case(number: int, **changed: Any) -> dict[str, Any]:
    """Return a case with a mismatch and all that is said of one."""
    return case(
        number,
        "wrong_answer",
        **{
            "message": "3 of 4 elements differ; 0.5 where 0.25 was expected at output[1]",
            "where": "output[1]",
            "max_diff": 0.25,
            "hint": "The values match if transposed.",
            "user_output_summary": _tensor("[1.0, 0.5, 0.5, 0.5]"),
            "expected_summary": _tensor("[1.0, 0.25, 0.75, 0.25]"),
            "input": {"x": "torch.tensor([1.0, 2.0, 3.0, 4.0])", "dim": "0"},
            "stdout": "debug\n",
            **changed,
        },
    )


def _tensor(preview: str) -> dict[str, Any]:
    return {"type": "tensor", "preview": preview, "shape": [4], "dtype": "float32"}


def report(slug: str, cases: list[dict[str, Any]], verdict: str, **changed: Any) -> dict[str, Any]:
    """Return a report, as `Report.to_dict` gives it."""
    made: dict[str, Any] = {
        "report_version": 1,
        "slug": slug,
        "verdict": verdict,
        "passed": sum(one["passed"] for one in cases),
        "total": len(cases),
        "message": "",
        "violations": [],
        "cases": cases,
        "stdout": "",
        "stderr": "",
        "limits": {
            "time_limit_s": 1.0,
            "wall_limit_s": 5.0,
            "memory_limit_mb": 256,
            "output_limit_bytes": 1048576,
            "total_wall_s": 60.0,
        },
        "usage": {"wall_ms": 21.5, "cpu_ms": 8.25, "memory_mb": 2.0},
        "attempts": 1,
        "static_check": True,
        "isolation": "full",
        "versions": {"grader": "0.1.0", "python": "3.11.7", "torch": "2.6.0", "numpy": "2.1.0"},
        "digests": {"spec": "a" * 64, "source": "b" * 64},
    }
    return {**made, **changed}


_SAID = {
    "runtime_error": "ZeroDivisionError: division by zero (line 7 in softmax)",
    "time_limit_exceeded": "1.00 s of CPU time used, 1 s allowed",
    "memory_limit_exceeded": "300 MiB used, 256 MiB allowed",
    "output_limit_exceeded": "over 1 MiB was printed in one case",
    "security_violation": "the sandbox refused it: PermissionError: '/' (line 3 in f)",
    "internal_error": "the worker ended twice",
}


def cases_of(verdict: str, count: int = 4) -> list[dict[str, Any]]:
    """Return cases of which the second decides; all skipped where none is run."""
    if verdict in ("forbidden", "invalid_submission", "internal_error"):
        return [case(n, "skipped", message="not run", time_ms=0.0) for n in range(1, count + 1)]
    if verdict == "accepted":
        return [case(n) for n in range(1, count + 1)]
    second = (
        wrong_case(2) if verdict == "wrong_answer" else case(2, verdict, message=_SAID[verdict])
    )
    return [case(1), second, *(case(n) for n in range(3, count + 1))]


def record(
    position: int = 0, verdict: str = "accepted", slug: str = "softmax", **changed: Any
) -> Record:
    """Return a record of that verdict, or with a fault of that kind."""
    fields: dict[str, Any] = {
        "position": position,
        "id": f"w{position}/{slug}.py",
        "slug": slug,
        "who": f"w{position}",
        "path": f"w{position}/{slug}.py",
    }
    if verdict in FAULTS:
        return Record(**{**fields, "fault": Fault(verdict, f"{verdict}: why"), **changed})
    said: dict[str, Any] = {}
    if verdict == "forbidden":
        about = {"rule": "forbidden-call", "line": 4, "column": 9, "message": "sorted() is banned"}
        said = {"violations": [about, {**about, "line": 6}]}
    elif verdict == "invalid_submission":
        said = {"message": "line 5, column 7: invalid syntax"}
    elif verdict == "internal_error":
        said = {"message": _SAID[verdict]}
    made = report(slug, cases_of(verdict), verdict, **said)
    return Record(**{**fields, "report": made, **changed})


def one_of_each() -> list[Record]:
    """Return a record of every verdict and every kind of fault."""
    return [record(n, verdict) for n, verdict in enumerate((*VERDICTS, *FAULTS))]


def hostile_records() -> list[Record]:
    """Return records with every hostile text in every place that text from outside can take."""
    return [hostile_record(n, text) for n, text in enumerate(HOSTILE.values())]


def hostile_record(position: int, text: str) -> Record:
    """Return a record with one text wherever text from outside can stand."""
    summary = {"type": text, "preview": text, "dtype": text, "fields": [text]}
    failed = wrong_case(
        1,
        case_name=text,
        message=text,
        where=text,
        hint=text,
        user_output_summary=summary,
        expected_summary=text,
        input={text: text},
        stdout=text,
        stderr=text,
    )
    if position % 3 == 0:
        return Record(position, text, text, text, fault=Fault("malformed", text), path=text)
    violations = [{"rule": text, "line": 1, "column": 1, "message": text}] * 2
    made = (
        report(text, [failed, case(2)], "wrong_answer", stdout=text, stderr=text)
        if position % 3 == 1
        else report(text, [], "forbidden", message=text, violations=violations, stdout=text)
    )
    return Record(position, text, text, text, report=made, path=text)


def class_of(people: int, problems: int, seed: int = 1) -> Iterator[Record]:
    """Yield a class's submissions, one a problem and mostly accepted, in the order of names."""
    drawn = random.Random(seed)
    names = [f"student {n:05}" for n in range(people)]
    weights = (60, 15, 8, 4, 2, 1, 3, 1, 4, 1)
    position = 0
    for who in names:
        for number in range(problems):
            if drawn.random() < 0.1:
                continue
            slug = f"problem-{number:02}-balanced-accuracy"[: 12 + number * 2]
            verdict = drawn.choices(VERDICTS, weights)[0]
            name = f"{who}/{slug}.py"
            yield record(position, verdict, slug, who=who, id=name, path=name)
            position += 1
