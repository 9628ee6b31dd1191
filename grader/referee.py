"""The program of a referee: holds the reference of one problem, and compares.

It runs in a jailed process of its own, forked like a worker but never shared with a
submission. Of a submission it sees only plain values, decoded from bounded bytes.

Requests: `open` with the problem's code; then for declarative cases `inputs` and `compare`
by number, or for a problem with `test_code` one `run`, in which the referee asks back: a
`call` frame for each call of `user_obj`, a `record` frame for each finished case.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import json
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import grader.wire_arrays
import grader.wire_builtin
import grader.wire_tensors  # noqa: F401 - all three teach the wire their kinds
from grader import wire
from grader.compare import Comparison, compare
from grader.frames import read_frame, write_frame
from grader.hints import find_hint
from grader.limits import MAX_MESSAGE_CHARS
from grader.rng import seed_everything, seeded
from grader.summarize import summarize_obj
from grader.values import ExceptionValue, Raised
from grader.wire_builtin import describe_exception


class AuthorFault(BaseException):
    """The author's code did what it must not; passes through its own `except Exception`.

    Attributes:
        path: JSON path of the field at fault.
    """

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(message)
        self.path = path


class StopJudging(BaseException):
    """The judge ends the run; passes through `except Exception` of test code."""


def prepare() -> None:
    """Touch what every comparison touches, before anyone waits."""
    compare((0.5, torch.ones(2)), (0.5, torch.ones(2)), 1e-4, 1e-4)
    summarize_obj((0.5, torch.ones(2), np.ones(2)))
    wire.decode(wire.encode((0.5, torch.ones(2))))


def serve(channel: int) -> None:
    """Answer requests until the keeper closes the channel."""
    referee: Referee | None = None
    while True:
        try:
            head, body = read_frame(channel)
        except EOFError:
            return
        try:
            if head["op"] == "open":
                referee = Referee(json.loads(bytes(body)), channel)
                reply: dict[str, Any] = {"outcome": "opened"}
                result = b""
            elif referee is None:
                raise AuthorFault("no problem was opened")
            else:
                reply, result = referee.answer(head, body)
        except AuthorFault as fault:
            message = str(fault)[:MAX_MESSAGE_CHARS]
            reply, result = {"outcome": "fault", "message": message, "path": fault.path}, b""
        except StopJudging:
            reply, result = {"outcome": "stopped"}, b""
        write_frame(channel, reply, result)


def run_author_code(source: str, field: str, names: dict[str, Any]) -> None:
    """Execute a code field of the spec.

    Raises:
        AuthorFault: it raises; the message names field, line and exception.
    """
    try:
        exec(compile(source, f"<{field}>", "exec"), names)
    except (Exception, SystemExit) as error:
        sentence = f"{field} raises {_sentence(error, f'<{field}>')}"
        raise AuthorFault(sentence, f"$.{field}") from None


def _sentence(error: BaseException, file_name: str) -> str:
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file_name:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(error, SyntaxError):
        line = error.lineno
    place = f" at line {line} of the field" if line is not None else ""
    return f"{type(error).__name__}{place}: {error}"


class Referee:
    """One problem, opened.

    Args:
        order: the problem's code and cases, as the judge sends them.
        channel: for asking back during a run of test code.
    """

    def __init__(self, order: dict[str, Any], channel: int) -> None:
        self._channel = channel
        self._order = order
        self._cases: list[dict[str, Any]] = order["cases"]
        self._expected: dict[int, Any] = {}
        names: dict[str, Any] = {"__name__": "reference"}
        run_author_code(order["reference_code"], "reference_code", names)
        if not callable(names.get(order["entry_point"])):
            sentence = f"reference_code defines no callable `{order['entry_point']}`"
            raise AuthorFault(sentence, "$.reference_code")
        self._reference: Callable[..., Any] = names[order["entry_point"]]
        self._setup: dict[str, Any] = {"torch": torch, "np": np, "math": math}
        if order["setup_code"]:
            run_author_code(order["setup_code"], "setup_code", self._setup)

    def answer(self, head: dict[str, Any], body: memoryview) -> tuple[dict[str, Any], bytes]:
        """Answer one request."""
        op = head["op"]
        if op == "inputs":
            return {"outcome": "inputs"}, self._encode_inputs(head["case"])
        if op == "expect":
            self._expect(head["case"])
            return {"outcome": "expected"}, b""
        if op == "compare":
            return self._compare(head, body), b""
        if op == "run":
            _TestRun(self._order, self._reference, self._channel).run()
            return {"outcome": "finished"}, b""
        raise AuthorFault(f"unknown request {op!r}")

    # --- declarative cases ----------------------------------------------------------

    def _inputs(self, number: int) -> dict[str, Any]:
        """Evaluate the arguments of a case, fresh each time."""
        case = self._cases[number]
        seed_everything(case["seed"])
        values = {}
        for name, expression in case["raw_inputs"].items():
            try:
                values[name] = eval(expression, dict(self._setup))
            except Exception as error:
                raise AuthorFault(
                    f"case {case['name']!r}: raw_inputs.{name} raises "
                    f"{type(error).__name__}: {error}",
                    f"$.test_cases[{number}].raw_inputs.{name}",
                ) from None
        return values

    def _bind(self, number: int) -> tuple[list[Any], dict[str, Any]]:
        """Arrange a case's inputs as the reference's signature takes them."""
        case, values = self._cases[number], self._inputs(number)
        try:
            bound = inspect.signature(self._reference).bind(**values)
        except TypeError as error:
            raise AuthorFault(
                f"case {case['name']!r}: raw_inputs do not fit the signature: {error}",
                f"$.test_cases[{number}].raw_inputs",
            ) from None
        except ValueError:  # no signature to be had
            return [], values
        return list(bound.args), bound.kwargs

    def _encode_inputs(self, number: int) -> bytes:
        case = self._cases[number]
        args, kwargs = self._bind(number)
        try:
            return wire.encode((tuple(args), kwargs))
        except wire.CannotCross as error:
            sentence = f"case {case['name']!r}: as an input, {error}"
            raise AuthorFault(sentence, f"$.test_cases[{number}].raw_inputs") from None

    def _expect(self, number: int) -> Any:
        """The reference's outcome, computed once: a value or a `Raised`."""
        if number not in self._expected:
            case = self._cases[number]
            try:
                self._expected[number] = self._run_reference(number, case)
            except AuthorFault as fault:
                sentence = f"case {case['name']!r}: {fault}"
                path = fault.path if fault.path != "$" else f"$.test_cases[{number}]"
                raise AuthorFault(sentence, path) from None
        return self._expected[number]

    def _run_reference(self, number: int, case: dict[str, Any]) -> Any:
        args, kwargs = self._bind(number)
        seed_everything(case["seed"])
        wanted = case["expect_error"]
        try:
            value = self._reference(*args, **kwargs)
        except Exception as error:
            if wanted is not None:
                return self._expected_error(wanted, error)
            raise AuthorFault(
                f"the reference raises {_sentence(error, '<reference_code>')}"
            ) from None
        if wanted is not None:
            raise AuthorFault(f"the reference returns, {wanted['type']} expected")
        try:
            # As it would arrive from the other side, sharing nothing with the reference.
            return wire.decode(wire.encode(value))
        except wire.CannotCross as error:
            raise AuthorFault(f"as the expected value, {error}") from None

    def _expected_error(self, wanted: dict[str, Any], error: Exception) -> Raised:
        raised = describe_exception(error)
        message = wanted["message"] or ""
        if wanted["type"] not in raised.type_names or message not in raised.message:
            raise AuthorFault(
                f"the reference raises {raised.type_name}: {raised.message}, "
                f"{wanted['type']} {message} expected"
            )
        return Raised(ExceptionValue((wanted["type"],), message))

    def _compare(self, head: dict[str, Any], body: memoryview) -> dict[str, Any]:
        expected = self._expect(head["case"])
        case = self._cases[head["case"]]
        if head["raised"] is not None:
            actual: Any = Raised(ExceptionValue(tuple(head["raised"][0]), head["raised"][1]))
        else:
            try:
                actual = wire.decode(body)
            except wire.WireError as error:
                return {"outcome": "unreadable", "message": f"the result cannot be read: {error}"}
        result = compare(actual, expected, case["atol"], case["rtol"])
        hint = None if result.match else find_hint(actual, expected, case["atol"], case["rtol"])
        return {
            "outcome": "compared",
            **_judgement(result, hint),
            "user_output_summary": summarize_obj(actual),
            "expected_summary": summarize_obj(expected),
        }


def _judgement(result: Comparison, hint: str | None) -> dict[str, Any]:
    return {
        "passed": result.match,
        "message": result.message[:MAX_MESSAGE_CHARS],
        "max_diff": json_number(result.max_diff),
        "where": result.where,
        "hint": hint,
    }


def json_number(value: Any) -> float | str | None:
    """A number as JSON can hold it: infinities and NaN by name."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    number = float(value)
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


class _TestRun:
    """One run of a problem's `test_code`, unmodified, against one submission."""

    def __init__(self, order: dict[str, Any], reference: Callable[..., Any], channel: int) -> None:
        self._order = order
        self._reference = reference
        self._channel = channel
        self._calls = 0
        self._last: dict[str, Any] = {}

    def run(self) -> None:
        """Execute the test code; each appended record goes to the judge at once.

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
            "cases_results": _Records(self._send_record),
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
        write_frame(self._channel, {"outcome": "call", "seed": seed}, body)
        head, answer = read_frame(self._channel)
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
        result = compare(actual, expected, atol, rtol)
        hint = None if result.match else find_hint(actual, expected, atol, rtol)
        self._last = {"where": result.where, "hint": hint}
        return result.match, result.message, result.max_diff

    def _send_record(self, record: Any) -> None:
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
        write_frame(self._channel, {"outcome": "record", "record": sent})
        read_frame(self._channel)


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
