"""Runs a submission's entry point, and its objects, with the arguments of one request."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from grader import wire
from grader.acts import perform
from grader.limits import MAX_MESSAGE_CHARS
from grader.rng import seed_everything
from grader.sandbox.inside.aliases import shared_arguments
from grader.sandbox.inside.api_guard import ApiGuard
from grader.sandbox.inside.failures import describe_failure
from grader.sandbox.inside.objects import Objects, is_used_from_outside
from grader.static_check import about_api

Reply = tuple[dict[str, Any], bytes]

# Values that no call can change.
_IMMUTABLE = frozenset({int, float, complex, bool, str, bytes, type(None), range})


class Calls:
    """Everything a problem may ask of an entry point once it is found.

    Args:
        entry: the entry point, or the problem's probe bound to it.
        guard: watches for banned library functions; None where there are none.
        no_alias: whether to find out if results share memory with arguments.
        deterministic: whether to call a second time.
    """

    def __init__(
        self,
        entry: Callable[..., object],
        guard: ApiGuard | None,
        *,
        no_alias: bool,
        deterministic: bool,
    ) -> None:
        self._entry = entry
        self._guard = guard
        self._no_alias = no_alias
        self._deterministic = deterministic
        self._objects = Objects()

    def call(self, head: dict[str, Any], body: memoryview) -> Reply:
        """Call the entry point with the arguments of one case."""
        args, kwargs = wire.decode(body)
        job = functools.partial(self._entry, *args, **kwargs)
        reply, result = self._run(job, _Watched(args, kwargs), head["seed"])
        if self._deterministic and reply["outcome"] == "returned":
            args, kwargs = wire.decode(body)
            job = functools.partial(self._entry, *args, **kwargs)
            again, second = self._run(job, _Watched([], {}), head["seed"])
            if again["outcome"] != "returned":
                return again, second
            reply["repeated"] = second == result
        return reply, result

    def act(self, head: dict[str, Any], body: memoryview) -> Reply:
        """Do something with the entry point, or with an object that it made."""
        args, kwargs = wire.decode(body)
        watched = _Watched(args, kwargs)
        self._objects.drop(head["drop"])
        target: Any = self._objects.find(head["target"]) if head["target"] else self._entry
        put, named = list(args), dict(kwargs)
        self._objects.put_in(head["places"], put, named)
        job = functools.partial(perform, target, head["act"], head["name"], put, named)
        if head["act"] == "next":
            return self._next(job)
        if head["act"] == "length" and not hasattr(type(target), "__len__"):
            return {"outcome": "exhausted"}, b""
        return self._run(job, watched, head["seed"], keep_objects=True)

    def _next(self, job: Callable[[], object]) -> Reply:
        """The next value of an iterator; that there is none is no accident."""
        end = object()

        def step() -> object:
            try:
                return job()
            except StopIteration:
                return end

        return self._run(step, _Watched([], {}), None, keep_objects=True, end=end)

    def _run(
        self,
        job: Callable[[], object],
        watched: _Watched,
        seed: int | None,
        *,
        keep_objects: bool = False,
        end: object = None,
    ) -> Reply:
        if seed is not None:
            seed_everything(seed)
        try:
            with self._watching():
                result = job()
            if self._guard is not None and self._guard.found is not None:
                return banned(self._guard), b""
            if end is not None and result is end:
                return {"outcome": "exhausted"}, b""
            if keep_objects and is_used_from_outside(result, self._entry):
                return self._kept(result, watched)
            encoded = wire.encode(result)
            reply: dict[str, Any] = {"outcome": "returned", "changed": watched.changed()}
            if self._no_alias:
                reply["aliased"] = shared_arguments(result, watched.values)
        except wire.CannotCross as error:
            if keep_objects and not error.too_large:
                return self._kept(result, watched)
            outcome = "too_large" if error.too_large else "uncrossable"
            return {"outcome": outcome, "message": str(error)[:MAX_MESSAGE_CHARS]}, b""
        except BaseException as error:
            if self._guard is not None and self._guard.found is not None:
                return banned(self._guard), b""
            return describe_failure(error), b""
        return reply, encoded

    def _kept(self, result: object, watched: _Watched) -> Reply:
        number = self._objects.keep(result)
        return {"outcome": "object", "object": number, "changed": watched.changed()}, b""

    def _watching(self) -> AbstractContextManager[None]:
        return nullcontext() if self._guard is None else self._guard.watching()


class _Watched:
    """The arguments that a call could change, and how they were before."""

    def __init__(self, args: Any, kwargs: dict[str, Any]) -> None:
        named = {**{str(i): value for i, value in enumerate(args)}, **kwargs}
        self.values = {n: value for n, value in named.items() if type(value) not in _IMMUTABLE}
        self._before = {name: _snapshot(value) for name, value in self.values.items()}

    def changed(self) -> list[str]:
        """Return the names of those that are no longer as they were."""
        return [n for n, value in self.values.items() if _snapshot(value) != self._before[n]]


def banned(guard: ApiGuard) -> dict[str, Any]:
    """Say which banned function was called, and where; it outweighs whatever came of it."""
    assert guard.found is not None
    ban, name, line = guard.found
    return {
        "outcome": "forbidden",
        "message": about_api(ban, name)[:MAX_MESSAGE_CHARS],
        "line": line,
    }


def _snapshot(value: object) -> bytes | None:
    try:
        return wire.encode(value, with_grad=False)
    except wire.CannotCross:
        return None
