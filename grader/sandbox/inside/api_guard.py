"""Watches a submission's calls for library functions that the problem forbids.

Torch is watched at two levels, since either alone is passed by: a function mode sees what was
called (`einsum`, `rms_norm`), a dispatch mode the operators it came to, whatever route called
them. NumPy has no such modes; its banned functions are replaced by ones that look who calls.

A ban is a rule of the exercise, no wall: a submission that takes the guard apart is found to have
done so where the modes are gone at the end, and may otherwise succeed.
"""

from __future__ import annotations

import _thread
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from grader.checking.apis import ForbiddenApis


class ForbiddenCall(BaseException):
    """Stops a submission at a banned call; `except Exception` does not hide it."""


class ApiGuard:
    """Stops banned calls and remembers the first.

    Args:
        names: the problem's `forbidden_apis`.
        file_name: of the submission's code, to tell its calls from the libraries' own.

    Attributes:
        found: ban, name of what was called, and line of the submission; None so far.
    """

    def __init__(self, names: list[str], file_name: str) -> None:
        self.apis = ForbiddenApis(names)
        self.found: tuple[str, str, int | None] | None = None
        self._file_name = file_name
        if "numpy" in self.apis.libraries:
            self._guard_attributes("numpy")
        if "torch" in self.apis.libraries:
            self._guard_threads()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch what the block calls in this thread, and in threads begun meanwhile."""
        if "torch" not in self.apis.libraries:
            yield
            return
        modes = _DispatchMode(self), _FunctionMode(self)
        for mode in modes:
            mode.__enter__()  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            removed = [mode for mode in modes if not mode.take_off()]
            if removed and self.found is None:
                self.found = "torch", "removing the guard", None

    def look_at(self, name: str) -> None:
        """Stop the submission if it may not call what has that dotted name.

        Raises:
            ForbiddenCall: it may not.
        """
        ban = self.apis.ban_of(name)
        if ban is not None:
            if self.found is None:
                self.found = ban, name, self._line()
            raise ForbiddenCall(ban)

    def _line(self) -> int | None:
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self._file_name:
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]
        return None

    def _guard_attributes(self, library: str) -> None:
        """Replace the banned functions of a library in every module of it that is loaded."""
        for module_name, module in list(sys.modules.items()):
            if module_name.partition(".")[0] != library:
                continue
            for name, value in list(vars(module).items()):
                dotted = f"{module_name}.{name}"
                if callable(value) and not isinstance(value, type) and self.apis.ban_of(dotted):
                    setattr(module, name, self._asking_who_calls(dotted, value))

    def _asking_who_calls(self, dotted: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if sys._getframe(1).f_code.co_filename == self._file_name:
                self.look_at(dotted)
            return function(*args, **kwargs)

        # NumPy itself calls `add.reduce`, and so do others.
        for name in dir(function):
            if not name.startswith("_") and not hasattr(guarded, name):
                member = getattr(function, name)
                asking = self._asking_who_calls(dotted, member) if callable(member) else member
                setattr(guarded, name, asking)
        return guarded

    def _guard_threads(self) -> None:
        """Have each new thread watched too; modes belong to one thread."""
        start = _thread.start_new_thread

        def start_watched(function: Callable[..., Any], *rest: Any) -> int:
            def watched(*args: Any, **kwargs: Any) -> None:
                with self.watching():
                    function(*args, **kwargs)

            return start(watched, *rest)

        for module in (_thread, threading):
            for name in ("start_new_thread", "_start_new_thread"):
                if hasattr(module, name):
                    setattr(module, name, start_watched)


def _dotted(function: Any) -> str:
    """Return a torch function's dotted name, whatever kind of callable it is."""
    operator = getattr(function, "_qualified_op_name", None)  # `torch.ops.aten.softmax`
    schema = getattr(function, "_schema", None)  # one overload of it
    if operator or schema is not None:
        qualified = operator if schema is None else schema.name
        return f"torch.ops.{qualified}".replace("::", ".")
    name = resolve_name(function)
    if name is None:
        name = f"{getattr(function, '__module__', '')}.{getattr(function, '__name__', '')}"
    return str(name).removesuffix(".__get__")


def _take_off(mode: object, length: Any, pop: Any, push: Any) -> bool:
    """Take a mode off its stack, wherever it lies there; False if it is gone already."""
    above = []
    while length():
        top = pop()
        if top is mode:
            break
        above.append(top)
    else:
        mode = None
    for other in reversed(above):
        push(other)
    return mode is not None


class _FunctionMode(TorchFunctionMode):
    def __init__(self, guard: ApiGuard) -> None:
        super().__init__()
        self._guard = guard

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        self._guard.look_at(_dotted(func))
        return func(*args, **(kwargs or {}))

    def take_off(self) -> bool:
        """End watching; False if someone else ended it."""
        return _take_off(
            self,
            torch._C._len_torch_function_stack,
            torch._C._pop_torch_function_stack,
            torch._C._push_on_torch_function_stack,
        )


class _DispatchMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    def __init__(self, guard: ApiGuard) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._guard = guard

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        self._guard.look_at(_dotted(func))
        return func(*args, **(kwargs or {}))

    def take_off(self) -> bool:
        """End watching; False if someone else ended it."""
        return _take_off(
            self,
            torch._C._len_torch_dispatch_stack,
            lambda: torch._C._pop_torch_dispatch_stack(None),
            torch._C._push_on_torch_dispatch_stack,
        )
