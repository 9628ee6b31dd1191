"""Runs a problem's own `test_code`, with the submission on the other side of the wall."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable
from typing import Any

from grader.author_code import AuthorFault, run_author_code
from grader.compare import compare
from grader.frames import read_frame, write_frame
from grader.hints import find_hint
from grader.limits import MAX_MESSAGE_CHARS
from grader.rng import seed_everything, seeded
from grader.submission_calls import SubmissionCalls
from grader.summarize import summarize_obj

# Records that wait for a frame to travel with; a frame's head holds at least as many.
_MOST_WAITING = 16


class Escaped(BaseException):
    """An exception of the submission ended the test code, which does not catch any."""


def json_number(value: Any) -> float | str | None:
    """A number as JSON can hold it: infinities and NaN by name."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    number = float(value)
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


class TestCodeRun:
    """One run of a problem's `test_code`, unmodified, against one submission."""

    def __init__(self, order: dict[str, Any], reference: Callable[..., Any], channel: int) -> None:
        self._order = order
        self._reference = reference
        self._channel = channel
        self._loosen = frozenset(order["loosen"])
        self._submission = SubmissionCalls(self._ask, reference, order["call_seeds"])
        self._last: dict[str, Any] = {}
        # Finished cases travel with the next frame; a frame of their own would cost each case
        # a round trip.
        self.records: list[dict[str, Any]] = []

    def run(self) -> None:
        """Execute the test code; each appended record goes to the judge before the next call.

        Raises:
            AuthorFault: the test code raises.
            StopJudging: the judge said so.
            Escaped: what the submission raised was caught by nobody.
        """
        seed_everything(self._order["seed"])
        names = {
            "__name__": "test_code",
            "ref_obj": self._call_reference,
            "user_obj": self._submission.call,
            "compare_outputs": self._compare_outputs,
            "summarize_obj": summarize_obj,
            "cases_results": _Records(self._take_record),
            "time": time,
            "atol": self._order["atol"],
            "rtol": self._order["rtol"],
        }
        try:
            run_author_code(self._order["test_code"], "test_code", names)
        except AuthorFault as fault:
            if getattr(fault.__cause__, "of_submission", False):
                raise Escaped from None
            raise

    def _call_reference(self, *args: Any, **kwargs: Any) -> Any:
        with seeded(self._submission.seed):
            return self._reference(*args, **kwargs)

    def _compare_outputs(
        self, actual: Any, expected: Any, atol: float = 1e-4, rtol: float = 1e-4
    ) -> tuple[bool, str, float | None]:
        terms = atol, rtol, self._loosen
        result = compare(actual, expected, *terms)
        hint = None if result.match else find_hint(actual, expected, *terms)
        self._last = {"where": result.where, "hint": hint}
        return result.match, result.message, result.max_diff

    def _take_record(self, record: Any) -> None:
        if not isinstance(record, dict) or not isinstance(record.get("case_name"), str):
            raise AuthorFault("test_code appends a record without a case_name", "$.test_code")
        sent = {
            "case_name": record["case_name"][:200],
            "passed": bool(record.get("passed")),
            "message": str(record.get("message") or "")[:MAX_MESSAGE_CHARS],
            "max_diff": json_number(record.get("max_diff")),
            "user_output_summary": _json_or_none(record.get("user_output_summary")),
            "expected_summary": _json_or_none(record.get("expected_summary")),
            **({} if record.get("passed") else self._last),
        }
        self._last = {}
        self.records.append(sent)
        if len(self.records) >= _MOST_WAITING:
            self._ask({"outcome": "records"}, b"")

    def _ask(self, head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], memoryview]:
        write_frame(self._channel, {**head, "records": self.records}, body)
        self.records = []
        return read_frame(self._channel)


class _Records(list[Any]):
    """`cases_results`: a list that hands on what is put into it."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        super().__init__()
        self._send = send

    def append(self, record: Any) -> None:
        super().append(copy.copy(record))
        self._send(record)

    def extend(self, records: Any) -> None:
        for record in records:
            self.append(record)

    def __iadd__(self, records: Any) -> _Records:  # type: ignore[misc]
        self.extend(records)
        return self


def _json_or_none(value: Any) -> Any:
    """What the author made of summarize_obj, if a screen can show it."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return summarize_obj(value)
    return value if len(text) <= 8192 else summarize_obj(value)
