"""Says in plain data why a submission has no result: what it raised, and on which line."""

from __future__ import annotations

import functools
from typing import Any

from grader.wire_builtin import describe_exception

FILE_NAME = "<submission>"


def describe_failure(error: BaseException) -> dict[str, Any]:
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
