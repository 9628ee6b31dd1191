"""Runs a problem's own `test_code`, with the submission on the other side of the wall."""

from __future__ import annotations

import builtins
import copy
import json
import math
import time
from collections.abc import Callable
from typing import Any

from grader import wire
from grader.author_code import AuthorFault, run_author_code
from grader.compare import compare
from grader.frames import read_frame, write_frame
from grader.hints import find_hint
from grader.limits import MAX_MESSAGE_CHARS
from grader.rng import seed_everything, seeded
from grader.summarize import summarize_obj
from grader.values import ExceptionValue

# Records that wait for a frame to travel with; a frame's head holds at least as many.
_MOST_WAITING = 16


class StopJudging(BaseException):
    """The judge ends the run; passes through `except Exception` of test code."""


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
        self._calls = 0
        self._last: dict[str, Any] = {}
        # Finished cases travel with the next frame; a frame of their own would cost each case
        # a round trip.
        self.records: list[dict[str, Any]] = []

    def run(self) -> None:
        """Execute the test code; each appended record goes to the judge before the next call.

        Raises:
            AuthorFault: the test code raises.
            StopJudging: the judge said so.
        """
        seed_everything(self._order["seed"])
        names = {
            "__name__": "test_code",
            "ref_obj": self._call_reference,
            "user_obj": self._call_submission,
            "compare_outputs": self._compare_outputs,
            "summarize_obj": summarize_obj,
            "cases_results": _Records(self._take_record),
            "time": time,
            "atol": self._order["atol"],
            "rtol": self._order["rtol"],
        }
        run_author_code(self._order["test_code"], "test_code", names)

    def _seed(self) -> int:
        return int(self._order["call_seeds"][self._calls % len(self._order["call_seeds"])])

    def _call_reference(self, *args: Any, **kwargs: Any) -> Any:
        with seeded(self._seed()):
            return self._reference(*args, **kwargs)

    def _call_submission(self, *args: Any, **kwargs: Any) -> Any:
        try:
            body = wire.encode((args, kwargs))
        except wire.CannotCross as error:
            sentence = f"test_code gives user_obj what cannot cross: {error}"
            raise AuthorFault(sentence, "$.test_code") from None
        seed = self._seed()
        head, answer = self._ask({"outcome": "call", "seed": seed}, body)
        if head["op"] == "stop":
            raise StopJudging
        if head["op"] == "lost":
            # The case is already lost, by the judge's word. The reference's own answer lets
            # the author's code go on to the next case without seeing a limit as an error.
            fresh_args, fresh_kwargs = wire.decode(body)
            with seeded(seed):
                value = self._reference(*fresh_args, **fresh_kwargs)
        elif head["raised"] is not None:
            self._calls += 1
            raise as_exception(ExceptionValue(tuple(head["raised"][0]), head["raised"][1]))
        else:
            try:
                value = wire.decode(answer)
            except wire.WireError as error:
                self._calls += 1
                raise ValueError(f"the result cannot be read: {error}") from None
        self._calls += 1
        return value

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


def as_exception(value: ExceptionValue) -> Exception:
    """An exception of the same name and message that the author's `except` recognises.

    Its class derives from the first built-in exception among the names, so `except
    ValueError` works; one that would end the author's code becomes a plain Exception.
    """
    base: type[Exception] = Exception
    for name in value.type_names:
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, Exception):
            base = known
            break
    members = {"__init__": lambda self, text: Exception.__init__(self, text),
               "__new__": lambda cls, *args: Exception.__new__(cls),
               "__str__": lambda self: value.message}  # fmt: skip
    kind = type(value.type_name, (base,), members)
    error: Exception = kind(value.message)
    return error
