"""Why a submission did not pass: one case, one sentence, one line number."""

from __future__ import annotations

import re
from typing import Any, Final

from grader.batch.records import Record
from grader.report import Verdict

# How `grader.outcome` ends the message of an exception, and begins that of a source that does
# not parse. A submission can write the same into its own message; then it misleads its author.
_RAISED_AT: Final = re.compile(r"\(line ([0-9]{1,7})(?: in [^()]{1,120})?\)\Z")
_PARSED_TO: Final = re.compile(r"line ([0-9]{1,7})(?:, column [0-9]{1,7})?: ")


def deciding_case(record: Record) -> dict[str, Any] | None:
    """Return the case that gave the submission its verdict; None if it passed or none was run.

    The first with the verdict of the whole, for a security violation outweighs what failed
    before it; else the first that did not pass.
    """
    if record.report is None or record.verdict == Verdict.ACCEPTED:
        return None
    failed = [case for case in record.report["cases"] if failed_in(case)]
    same = (case for case in failed if case["verdict"] == record.verdict)
    return next(same, failed[0] if failed else None)


def failed_in(case: dict[str, Any]) -> bool:
    """Whether a case was run and did not pass."""
    return not case["passed"] and case["verdict"] != Verdict.SKIPPED


def reason(record: Record) -> str:
    """Return why a submission did not pass, as the report says it; "" if it passed.

    The text may hold anything a submission wrote: make it fit for where it is shown.
    """
    if record.fault is not None:
        return record.fault.message
    if record.report is None:
        return "there is neither a report nor a fault"
    if record.report["message"] or record.verdict == Verdict.ACCEPTED:
        return str(record.report["message"])
    if record.report["violations"]:
        first = record.report["violations"][0]
        return f"line {first['line']}: {first['message']}"
    case = deciding_case(record)
    return "" if case is None else str(case["message"])


def line_of(record: Record) -> int | None:
    """Return the 1-based line of the submission to look at, where the report knows one."""
    if record.report is None:
        return None
    if record.report["violations"]:
        return int(record.report["violations"][0]["line"])
    said = reason(record)
    found = _RAISED_AT.search(said)
    if found is None and record.verdict == Verdict.INVALID_SUBMISSION:
        found = _PARSED_TO.match(said)
    return int(found[1]) or None if found is not None else None
