"""The program of a referee: holds the reference of one problem, and compares.

It runs in a jailed process of its own, forked like a worker but never shared with a
submission. Of a submission it sees only plain values, decoded from bounded bytes.

Requests: `open` with the problem's code; then for declarative cases `inputs` and `compare`
by number, or for a problem with `test_code` one `run`, in which the referee asks back: a
`call` frame for each call of `user_obj`, which carries the cases finished since the last.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import grader.wire_arrays
import grader.wire_builtin
import grader.wire_tensors  # noqa: F401 - all three teach the wire their kinds
from grader import wire
from grader.author_code import AuthorFault, fault_sentence, run_author_code
from grader.compare import Comparison, compare
from grader.frames import read_frame, write_frame
from grader.hints import find_hint
from grader.limits import MAX_MESSAGE_CHARS
from grader.rng import seed_everything
from grader.summarize import summarize_obj
from grader.test_code_run import StopJudging, TestCodeRun, json_number
from grader.values import ExceptionValue, Raised
from grader.wire_builtin import describe_exception


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
        write_frame(channel, reply, result)


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
            return self._run_test_code(), b""
        raise AuthorFault(f"unknown request {op!r}")

    def _run_test_code(self) -> dict[str, Any]:
        run = TestCodeRun(self._order, self._reference, self._channel)
        try:
            run.run()
        except StopJudging:
            return {"outcome": "stopped", "records": run.records}
        return {"outcome": "finished", "records": run.records}

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
                f"the reference raises {fault_sentence(error, '<reference_code>')}"
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
