"""The program of a worker: runs one submission, told one case at a time.

It knows the source, the name of the entry point and the arguments of the case at hand;
nothing else that the submission could look for is in this process.
"""

from __future__ import annotations

import builtins
import functools
import io
import linecache
import os
import signal
import sys
import threading
import types
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import grader.wire_arrays
import grader.wire_builtin
import grader.wire_tensors  # noqa: F401 - all three teach the wire their kinds
from grader import wire
from grader.frames import read_frame, write_frame
from grader.limits import MAX_MESSAGE_CHARS, MAX_PRINTED_BYTES
from grader.rng import seed_everything
from grader.sandbox.inside.aliases import shared_arguments
from grader.sandbox.inside.api_guard import ApiGuard
from grader.sandbox.inside.capture import Capture
from grader.source import InvalidSource, compile_source, decode_source, parse_source
from grader.static_check import about_api, check_tree
from grader.wire_builtin import describe_exception

MODULE_NAME = "submission"
FILE_NAME = "<submission>"
PROBE_NAME = "<probe>"
# Values that no call can change.
_IMMUTABLE = frozenset({int, float, complex, bool, str, bytes, type(None), range})

# Helpers of the interactive prompt; they print texts that they look for in files.
_INTERACTIVE = ("license", "credits", "copyright", "help")
# The kernel refuses these anyway, but some of them then only return -1.
_PROGRAM_EVENTS = frozenset(
    {"os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn",
     "subprocess.Popen", "pty.spawn", "_posixsubprocess.fork_exec"}
)  # fmt: skip

_REHEARSAL = b"import math\n\ndef f(x, y, z=1.0):\n    return x / (y + z), math.sqrt(y), [x]\n"

_NO_BANS: dict[str, Any] = {"forbidden_modules": [], "forbidden_calls": [], "forbidden_apis": []}
_NO_CHECKS: dict[str, Any] = {"no_alias": False, "deterministic": False, "forbidden_apis": []}

Reply = tuple[dict[str, Any], bytes]


def prepare() -> None:
    """Go once through what every submission makes the process do.

    The first touch of each inherited page costs a fault; paid here, it is paid before
    anyone waits. What only some submissions do (tensors, say) is left to them.
    """
    worker = _Worker(-1)
    reader, writer = os.pipe()
    for handle, head, body in (
        (worker.check, _NO_BANS, _REHEARSAL),
        (worker.load, {"entry_point": "f"} | _NO_CHECKS, b""),
        (worker.call, {"seed": 0}, wire.encode(((1, 2.0), {}))),
    ):
        write_frame(writer, head, body)
        reply, result = handle(*read_frame(reader))
        write_frame(writer, reply, result)
        read_frame(reader)
    os.close(reader)
    os.close(writer)


def serve(channel: int) -> None:
    """Answer requests until the keeper closes the channel."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.addaudithook(_say_no)
    for name in _INTERACTIVE:
        vars(builtins).pop(name, None)
    worker = _Worker(channel)
    capture = Capture(MAX_PRINTED_BYTES, worker.stop_for_output)
    handlers: dict[str, Callable[[dict[str, Any], memoryview], Reply]] = {
        "check": worker.check,
        "load": worker.load,
        "call": worker.call,
    }
    while True:
        try:
            head, body = read_frame(channel)
        except EOFError:
            return
        reply, result = handlers[head["op"]](head, body)
        reply["stdout"], reply["stderr"] = capture.take()
        with worker.writing:
            write_frame(channel, reply, result)


class _Worker:
    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._code: types.CodeType | None = None
        self._entry: Callable[..., object] | None = None
        self._no_alias = self._deterministic = False
        self._guard: ApiGuard | None = None
        self.writing = threading.Lock()

    def stop_for_output(self) -> None:
        """Say that too much was printed, and end."""
        self.writing.acquire()
        write_frame(self._channel, {"outcome": "output_limit"})
        os._exit(0)

    def check(self, head: dict[str, Any], body: memoryview) -> Reply:
        """Parse, check and compile the source; run nothing of it."""
        try:
            text = decode_source(bytes(body))
            tree = parse_source(text)
            violations = check_tree(
                tree,
                head["forbidden_modules"],
                head["forbidden_calls"],
                text,
                head["forbidden_apis"],
            )
            self._code = compile_source(tree)
        except InvalidSource as error:
            return {
                "outcome": "invalid",
                "message": error.message,
                "line": error.line,
                "column": error.column,
            }, b""
        # For those who read their own source, as TorchScript does: there is no file of it.
        lines = [*io.StringIO(text, newline=None)]
        linecache.cache[FILE_NAME] = (len(text), None, lines, FILE_NAME)
        found = [[v.rule, v.line, v.column, v.message] for v in violations[:100]]
        return {"outcome": "checked", "violations": found}, b""

    def load(self, head: dict[str, Any], body: memoryview) -> Reply:
        """Execute the module level and find the entry point."""
        module = types.ModuleType(MODULE_NAME)
        module.__file__ = FILE_NAME
        sys.modules[MODULE_NAME] = module
        if self._code is None:
            return {"outcome": "invalid", "message": "nothing was checked"}, b""
        if head["forbidden_apis"]:
            self._guard = ApiGuard(head["forbidden_apis"], FILE_NAME)
        seed_everything(0)
        try:
            with self._watching():
                exec(self._code, module.__dict__)
        except BaseException as error:
            return self._failed(error), b""
        if self._guard is not None and self._guard.found is not None:
            return self._failed(None), b""
        self._no_alias, self._deterministic = head["no_alias"], head["deterministic"]
        reply, _ = self._find_entry(module.__dict__, head["entry_point"])
        if body and reply["outcome"] == "loaded":
            return self._put_probe_before(bytes(body)), b""
        return reply, b""

    def _put_probe_before(self, probe_code: bytes) -> dict[str, Any]:
        """Let the author's probe use the entry point, in place of a call."""
        names: dict[str, Any] = {"__name__": "probe"}
        try:
            exec(compile(probe_code, PROBE_NAME, "exec"), names)
            self._entry = functools.partial(names["probe"], self._entry)
        except BaseException as error:
            return self._failed(error)
        return {"outcome": "loaded"}

    def _find_entry(self, names: dict[str, Any], name: str) -> Reply:
        if name not in names:
            defined = [n for n, v in names.items() if callable(v) and not n.startswith("_")]
            near = [n for n in defined if getattr(names[n], "__module__", None) == MODULE_NAME]
            also = f"; it defines {', '.join(near[:5])}" if near else ""
            return {
                "outcome": "invalid",
                "message": f"the submission does not define `{name}`{also}"[:MAX_MESSAGE_CHARS],
            }, b""
        self._entry = names[name]
        if not callable(self._entry):
            kind = wire.describe_kind(self._entry)
            return {
                "outcome": "invalid",
                "message": f"`{name}` must be something to call, it is {kind}",
            }, b""
        return {"outcome": "loaded"}, b""

    def call(self, head: dict[str, Any], body: memoryview) -> Reply:
        """Call the entry point with the arguments of one case."""
        args, kwargs = wire.decode(body)
        named = {**{str(i): value for i, value in enumerate(args)}, **kwargs}
        watched = {name: value for name, value in named.items() if type(value) not in _IMMUTABLE}
        before = {name: _snapshot(value) for name, value in watched.items()}
        seed_everything(head["seed"])
        try:
            with self._watching():
                result = self._entry(*args, **kwargs)  # type: ignore[misc]
        except BaseException as error:
            return self._failed(error), b""
        if self._guard is not None and self._guard.found is not None:
            return self._failed(None), b""
        try:
            encoded = wire.encode(result)
        except wire.CannotCross as error:
            outcome = "too_large" if error.too_large else "uncrossable"
            return {"outcome": outcome, "message": str(error)[:MAX_MESSAGE_CHARS]}, b""
        except BaseException as error:
            return self._failed(error), b""
        reply: dict[str, Any] = {"outcome": "returned"}
        reply["changed"] = [n for n, value in watched.items() if _snapshot(value) != before[n]]
        try:
            if self._no_alias:
                reply["aliased"] = shared_arguments(result, watched)
            if self._deterministic:
                reply["repeated"] = self._again(head, body) == encoded
        except BaseException as error:
            return self._failed(error), b""
        return reply, encoded

    def _watching(self) -> AbstractContextManager[None]:
        return nullcontext() if self._guard is None else self._guard.watching()

    def _failed(self, error: BaseException | None) -> dict[str, Any]:
        """Describe why there is no result: a banned call first, whatever came of it."""
        if self._guard is not None and self._guard.found is not None:
            ban, name, line = self._guard.found
            message = about_api(ban, name)[:MAX_MESSAGE_CHARS]
            return {"outcome": "forbidden", "message": message, "line": line}
        assert error is not None
        return _raised(error)

    def _again(self, head: dict[str, Any], body: memoryview) -> bytes:
        """The encoded result of the same call once more."""
        args, kwargs = wire.decode(body)
        seed_everything(head["seed"])
        with self._watching():
            result = self._entry(*args, **kwargs)  # type: ignore[misc]
        return wire.encode(result)


def _say_no(event: str, arguments: tuple[object, ...]) -> None:
    """Say in Python what the jail would say in a return code."""
    if event in _PROGRAM_EVENTS:
        raise PermissionError(1, f"the sandbox starts no program ({event})")


def _snapshot(value: object) -> bytes | None:
    try:
        return wire.encode(value, with_grad=False)
    except wire.CannotCross:
        return None


def _raised(error: BaseException) -> dict[str, Any]:
    """Describe an exception; its class may be hostile, so nothing about it is taken for granted."""
    reply: dict[str, Any] = {"outcome": "raised", "type_names": ["Exception"], "message": ""}
    try:
        plain = describe_exception(error)
        reply["type_names"], reply["message"] = list(plain.type_names), plain.message
    except BaseException:
        reply["message"] = "its message cannot be read"
    try:
        reply["line"], reply["function"] = _place(error)
    except BaseException:
        reply["line"] = reply["function"] = None
    # The traceback holds the frames, and with them all their values, alive.
    with_traceback = functools.partial(BaseException.with_traceback, error)
    try:
        with_traceback(None)
    except BaseException:
        reply["function"] = None
    return reply


def _place(error: BaseException) -> tuple[int | None, str | None]:
    """The innermost line of the submission that the exception passed."""
    if isinstance(error, SyntaxError) and error.filename == FILE_NAME:
        return error.lineno, None
    line: int | None = None
    function: str | None = None
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename == FILE_NAME:
            line, function = step.tb_lineno, code.co_name[:100]
        step = step.tb_next
    return line, function
