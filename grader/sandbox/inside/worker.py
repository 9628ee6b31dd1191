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
from contextlib import nullcontext
from typing import Any

import grader.wire_arrays
import grader.wire_builtin
import grader.wire_tensors  # noqa: F401 - all three teach the wire their kinds
from grader import wire
from grader.frames import read_frame, write_frame
from grader.limits import MAX_MESSAGE_CHARS, MAX_PRINTED_BYTES
from grader.rng import seed_everything
from grader.sandbox.inside.api_guard import ApiGuard
from grader.sandbox.inside.calls import Calls, Reply, banned
from grader.sandbox.inside.capture import Capture
from grader.sandbox.inside.failures import FILE_NAME, describe_failure
from grader.source import InvalidSource, compile_source, decode_source, parse_source
from grader.static_check import check_tree

MODULE_NAME = "submission"
PROBE_NAME = "<probe>"
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
        (worker.call, {"op": "call", "seed": 0}, wire.encode(((1, 2.0), {}))),
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
        "act": worker.call,
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
        self._calls: Calls | None = None
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
        apis = head["forbidden_apis"]
        guard = ApiGuard(apis, FILE_NAME) if apis else None
        seed_everything(0)
        try:
            with guard.watching() if guard is not None else nullcontext():
                exec(self._code, module.__dict__)
        except BaseException as error:
            if guard is None or guard.found is None:
                return describe_failure(error), b""
        if guard is not None and guard.found is not None:
            return banned(guard), b""
        entry, message = _find_entry(module.__dict__, head["entry_point"])
        if entry is None:
            return {"outcome": "invalid", "message": message}, b""
        try:
            used = _with_probe(bytes(body), entry) if body else entry
        except BaseException as error:  # what the submission did to Python may break it
            return describe_failure(error), b""
        checks = {name: head[name] for name in ("no_alias", "deterministic")}
        self._calls = Calls(used, guard, **checks)
        return {"outcome": "loaded"}, b""

    def call(self, head: dict[str, Any], body: memoryview) -> Reply:
        """Call the entry point, or do something with an object it made."""
        assert self._calls is not None  # the judge loads before it calls
        run = self._calls.call if head["op"] == "call" else self._calls.act
        return run(head, body)


def _with_probe(probe_code: bytes, entry: Callable[..., object]) -> Callable[..., object]:
    """The author's probe, which uses the entry point in place of a call."""
    names: dict[str, Any] = {"__name__": "probe"}
    exec(compile(probe_code, PROBE_NAME, "exec"), names)
    return functools.partial(names["probe"], entry)


def _find_entry(names: dict[str, Any], name: str) -> tuple[Callable[..., object] | None, str]:
    """The entry point, or None and what is wrong."""
    if name not in names:
        defined = [n for n, v in names.items() if callable(v) and not n.startswith("_")]
        near = [n for n in defined if getattr(names[n], "__module__", None) == MODULE_NAME]
        also = f"; it defines {', '.join(near[:5])}" if near else ""
        return None, f"the submission does not define `{name}`{also}"[:MAX_MESSAGE_CHARS]
    entry = names[name]
    if not callable(entry):
        return None, f"`{name}` must be something to call, it is {wire.describe_kind(entry)}"
    return entry, ""


def _say_no(event: str, arguments: tuple[object, ...]) -> None:
    """Say in Python what the jail would say in a return code."""
    if event in _PROGRAM_EVENTS:
        raise PermissionError(1, f"the sandbox starts no program ({event})")
