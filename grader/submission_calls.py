"""The submission from the side of test code: its calls, and handles of its objects."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from grader import wire
from grader.acts import perform
from grader.author_code import AuthorFault
from grader.handles import Act, Handle, number_of
from grader.rng import seeded
from grader.values import ExceptionValue

# Sends a head and a body to the judge, and returns its answer.
Ask = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], memoryview]]


class StopJudging(BaseException):
    """The judge ends the run; passes through `except Exception` of test code."""


@dataclass(frozen=True)
class _Step:
    """An act without its handles, which would keep objects alive; 0 is the entry point."""

    kind: str
    target: int
    name: str
    places: dict[str, int]
    body: bytes


class SubmissionCalls:
    """Carries what test code does with `user_obj` through the wall.

    Args:
        ask: speaks to the judge.
        reference: stands in where the submission's process was lost.
        seeds: of the calls of the entry point, in order.
    """

    def __init__(self, ask: Ask, reference: Callable[..., Any], seeds: list[int]) -> None:
        self._ask = ask
        self._reference = reference
        self._seeds = seeds
        self._calls = 0
        self._made = 0
        # Objects that test code holds handles of: our number, and the number over there, which
        # each process of the submission counts anew.
        self._there: dict[int, int] = {}
        self._dropped: list[int] = []
        self._stand_ins: dict[int, Any] = {}  # for objects that were lost with their process
        # What was done since there are objects, with the number of what came of it.
        self._log: list[tuple[_Step, int]] = []

    @property
    def seed(self) -> int:
        """Random seed of the next call of the entry point, on both sides."""
        return self._seeds[self._calls % len(self._seeds)]

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call the submission's entry point: this is `user_obj`."""
        try:
            return self._send(Act("call", args=args, kwargs=kwargs))
        finally:
            self._calls += 1

    def _send(self, act: Act) -> Any:
        step = _step(act)
        used = {number for number in (step.target, *step.places.values()) if number}
        head: dict[str, Any] = {
            "outcome": "call",
            "gone": any(number in self._stand_ins for number in used),
            "act": step.kind,
            "target": self._there.get(step.target, 0),
            "name": step.name,
            "places": {place: self._there.get(n, 0) for place, n in step.places.items()},
            "drop": self._dropped,
            "seed": None if step.target else self.seed,
        }
        self._dropped = []
        answer, result = self._ask(head, step.body)
        if answer["op"] == "stop":
            raise StopJudging
        if answer["op"] == "lost":
            if not head["gone"]:
                self._build_stand_ins()
            with nullcontext() if step.target else seeded(self.seed):
                return self._perform(step, self._stand_ins)
        return self._read(step, answer, result)

    def _read(self, step: _Step, answer: dict[str, Any], result: memoryview) -> Any:
        """What the other side answered, as test code gets it."""
        there = answer.get("object")
        if there is not None:
            self._made += 1
            self._there[self._made] = there
            self._log.append((step, self._made))
            return Handle(self._made, self._send, self._drop)
        if self._there:
            self._log.append((step, 0))
        if answer["raised"] is not None:
            raise as_exception(ExceptionValue(tuple(answer["raised"][0]), answer["raised"][1]))
        if answer.get("exhausted"):
            # What Python asks by itself, on the way to something else, is no accident.
            raise TypeError("it has no len()") if step.kind == "length" else StopIteration
        try:
            return wire.decode(result)
        except wire.WireError as error:
            raise ValueError(f"the result cannot be read: {error}") from None

    def _drop(self, number: int) -> None:
        """Test code holds a handle no more; the object goes with the next call."""
        self._stand_ins.pop(number, None)
        there = self._there.pop(number, None)
        if there is not None:
            self._dropped.append(there)
        if not self._there:
            self._log.clear()

    # --- when the submission's process is lost ------------------------------------------

    def _build_stand_ins(self) -> None:
        """Take the reference through all that was done, for the objects still held."""
        made = dict(self._stand_ins)
        for step, number in self._log:
            try:
                value = self._perform(step, made)
            except Exception:
                continue  # it raised, as the submission may have done
            if number:
                made[number] = value
        held = [*self._there, *self._stand_ins]
        self._stand_ins = {number: made.get(number) for number in held}
        self._there.clear()
        self._dropped.clear()
        self._log.clear()

    def _perform(self, step: _Step, objects: dict[int, Any]) -> Any:
        """Do with the reference, or its objects, what was to be done with the submission's."""
        args, kwargs = wire.decode(step.body)
        args = list(args)
        for place, number in step.places.items():
            if place.isdigit():
                args[int(place)] = objects[number]
            else:
                kwargs[place] = objects[number]
        target = objects[step.target] if step.target else self._reference
        return perform(target, step.kind, step.name, args, kwargs)


def _step(act: Act) -> _Step:
    """An act as plain data.

    Raises:
        AuthorFault: an argument cannot cross.
    """
    (args, kwargs), places = _without_handles(act)
    try:
        body = wire.encode((args, kwargs))
    except wire.CannotCross as error:
        sentence = f"test_code gives user_obj what cannot cross: {error}"
        raise AuthorFault(sentence, "$.test_code") from None
    target = 0 if act.target is None else number_of(act.target)
    return _Step(act.kind, target, act.name, places, body)


def _without_handles(act: Act) -> tuple[tuple[tuple[Any, ...], dict[str, Any]], dict[str, int]]:
    """The arguments with None where they are handles, and which objects belong there."""
    kwargs = act.kwargs or {}
    named = {**{str(place): value for place, value in enumerate(act.args)}, **kwargs}
    places = {
        place: number_of(value) for place, value in named.items() if isinstance(value, Handle)
    }
    args = tuple(None if isinstance(value, Handle) else value for value in act.args)
    plain = {name: None if isinstance(value, Handle) else value for name, value in kwargs.items()}
    return (args, plain), places


def as_exception(value: ExceptionValue) -> Exception:
    """An exception of the same name and message that the author's `except` recognises.

    Its class derives from the first built-in exception among the names, so `except
    ValueError` works; one that would end the author's code becomes a plain Exception.
    """
    base: type[Exception] = Exception
    for name in value.type_names:
        known = getattr(builtins, name, None)
        if not isinstance(known, type) or issubclass(known, BaseExceptionGroup):
            continue  # a group cannot be made without its members
        if issubclass(known, Exception):
            base = known
            break
    if issubclass(base, StopIteration | StopAsyncIteration):
        base = RuntimeError  # it would end the author's loops, as if all were well
    members = {"of_submission": True,
               "__init__": lambda self, text: Exception.__init__(self, text),
               "__new__": lambda cls, *args: base.__new__(cls),
               "__str__": lambda self: value.message}  # fmt: skip
    kind: Any = type(value.type_name, (base,), members)
    error: Exception = kind(value.message)
    return error
