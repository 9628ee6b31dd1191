"""The program of a referee: holds the reference of one problem, and compares.

It runs in a jailed process of its own, forked like a worker but never shared with a
submission. Of a submission it sees only plain values, decoded from bounded bytes.

Requests: `open` with the problem's code; then for declarative cases `inputs`, `compare` and
`describe` by number, and for drawn ones by size too; or for a problem with `test_code` one
`run`, in which the referee asks back: a `call` frame for each call of `user_obj`, which carries
the cases finished since the last.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import grader.wire_arrays
import grader.wire_builtin
import grader.wire_tensors  # noqa: F401 - all three teach the wire their kinds
from grader import wire
from grader.author_code import AuthorFault, fault_sentence, run_author_code
from grader.case_inputs import CaseInputs
from grader.case_study import rounding, study_case
from grader.compare import Comparison, compare, compare_outputs
from grader.frames import read_frame, write_frame
from grader.hints import find_hint
from grader.limits import MAX_MESSAGE_CHARS
from grader.python_source import NoExpression, to_python
from grader.rng import seed_everything
from grader.submission_calls import StopJudging
from grader.summarize import summarize_obj
from grader.test_code_run import Escaped, TestCodeRun, json_number
from grader.values import ExceptionValue, Raised
from grader.wire_builtin import describe_exception

# Position of a case, and the size that a drawn one shall have; None for its own.
Key = tuple[int, int | None]


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
                sized = referee.draws_by_size
                reply: dict[str, Any] = {"outcome": "opened", "draws_by_size": sized}
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
        self._loosen = frozenset(order["loosen"])
        self._expected: dict[Key, Any] = {}
        names: dict[str, Any] = {"__name__": "reference"}
        run_author_code(order["reference_code"], "reference_code", names)
        if not callable(names.get(order["entry_point"])):
            sentence = f"reference_code defines no callable `{order['entry_point']}`"
            raise AuthorFault(sentence, "$.reference_code")
        self._entry: Callable[..., Any] = names[order["entry_point"]]
        self._reference = self._entry
        self._inputs = CaseInputs(order)
        if order["probe_code"]:
            probe: dict[str, Any] = {"__name__": "probe"}
            run_author_code(order["probe_code"], "probe_code", probe)
            self._reference = functools.partial(probe["probe"], self._reference)

    @property
    def draws_by_size(self) -> bool:
        """Whether the problem's generator takes a size."""
        return self._inputs.takes_size

    def answer(self, head: dict[str, Any], body: memoryview) -> tuple[dict[str, Any], bytes]:
        """Answer one request."""
        op = head["op"]
        if op == "run":
            return self._run_test_code(), b""
        if op == "examples":
            return {"outcome": "printed"}, json.dumps(
                self._examples(json.loads(bytes(body)))
            ).encode()
        key = head["case"], head["size"]
        if op == "inputs":
            return {"outcome": "inputs"}, self._encode(key)
        if op == "expect":
            self._expect(key)
            return {"outcome": "expected"}, b""
        if op == "compare":
            return self._compare(key, head["raised"], body), b""
        if op == "study":
            return {"outcome": "studied"}, json.dumps(self._study(key)).encode()
        if op == "describe":
            return {"outcome": "described"}, self._describe(key, head["max_chars"])
        raise AuthorFault(f"unknown request {op!r}")

    def _run_test_code(self) -> dict[str, Any]:
        run = TestCodeRun(self._order, self._reference, self._channel)
        try:
            run.run()
        except StopJudging:
            return {"outcome": "stopped", "records": run.records}
        except Escaped:
            return {"outcome": "escaped", "records": run.records}
        return {"outcome": "finished", "records": run.records}

    # --- declarative cases ----------------------------------------------------------

    def _bind(self, key: Key) -> tuple[list[Any], dict[str, Any]]:
        """Arrange a case's inputs as the reference's signature takes them."""
        values = self._inputs.of(*key)
        try:
            bound = inspect.signature(self._reference).bind(**values)
        except TypeError as error:
            sentence = f"case {self._name(key)!r}: raw_inputs do not fit the signature: {error}"
            raise AuthorFault(sentence, self._place(key)) from None
        except ValueError:  # no signature to be had
            return [], values
        return list(bound.args), bound.kwargs

    def _encode(self, key: Key) -> bytes:
        args, kwargs = self._bind(key)
        try:
            return wire.encode((tuple(args), kwargs))
        except wire.CannotCross as error:
            sentence = f"case {self._name(key)!r}: as an input, {error}"
            raise AuthorFault(sentence, self._place(key)) from None

    def _describe(self, key: Key, max_chars: int | None) -> bytes:
        """Each argument as Python, as JSON; at most `max_chars` each where a number is given."""
        shown = {}
        for name, value in self._inputs.of(*key).items():
            try:
                shown[name] = to_python(value, max_chars)
            except NoExpression as error:
                shown[name] = f"<not shown: {error}>"
        return json.dumps(shown).encode()

    def _study(self, key: Key) -> dict[str, Any]:
        """What the author's gate wants to know of a case that returns."""
        case, expected = self._cases[key[0]], self._expect(key)
        if isinstance(expected, Raised):
            return {"raises": True}
        terms = case["atol"], case["rtol"], self._loosen
        found = study_case(expected, self._inputs.of(*key), terms)
        args, kwargs = self._bind(key)
        same = sum(
            self._cases[other]["expect_error"] is None
            and compare(expected, self._expect((other, None)), *terms).match
            for other in range(len(self._cases))
        )
        seed_everything(case["seed"])
        named = {**{str(place): value for place, value in enumerate(args)}, **kwargs}
        found["rounding"] = rounding(
            lambda wide: self._reference(
                *(wide[str(place)] for place in range(len(args))),
                **{name: wide[name] for name in kwargs},
            ),
            expected,
            named,
            terms,
        )
        return {"raises": False, "same": same, **found}

    def _examples(self, sources: list[str]) -> list[str]:
        """What each statement prints at a prompt where the reference is at hand."""
        names = {
            **self._inputs.names,
            "compare_outputs": compare_outputs,
            self._order["entry_point"]: self._entry,
        }
        printed = []
        for source in sources:
            out = io.StringIO()
            try:
                with contextlib.redirect_stdout(out):
                    exec(compile(source, "<example>", "single"), names)
            except (Exception, SystemExit) as error:
                out.write(f"{type(error).__name__}: {error}")
            printed.append(out.getvalue())
        return printed

    def _name(self, key: Key) -> str:
        return str(self._cases[key[0]]["name"])

    def _place(self, key: Key) -> str:
        drawn = self._cases[key[0]]["drawn"] is not None
        return "$.generated_cases.code" if drawn else f"$.test_cases[{key[0]}].raw_inputs"

    def _expect(self, key: Key) -> Any:
        """The reference's outcome, computed once: a value or a `Raised`."""
        if key not in self._expected:
            try:
                self._expected[key] = self._run_reference(key)
            except AuthorFault as fault:
                sentence = f"case {self._name(key)!r}: {fault}"
                path = self._place(key).removesuffix(".raw_inputs")
                raise AuthorFault(sentence, path if fault.path == "$" else fault.path) from None
        return self._expected[key]

    def _run_reference(self, key: Key) -> Any:
        case = self._cases[key[0]]
        args, kwargs = self._bind(key)
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

    def _compare(self, key: Key, raised: list[Any] | None, body: memoryview) -> dict[str, Any]:
        expected = self._expect(key)
        case = self._cases[key[0]]
        if raised is not None:
            actual: Any = Raised(ExceptionValue(tuple(raised[0]), raised[1]))
        else:
            try:
                actual = wire.decode(body)
            except wire.WireError as error:
                return {"outcome": "unreadable", "message": f"the result cannot be read: {error}"}
        terms = case["atol"], case["rtol"], self._loosen
        result = compare(actual, expected, *terms)
        hint = None if result.match else find_hint(actual, expected, *terms)
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
