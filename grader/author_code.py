"""Runs code of a problem's author and tells its faults apart from everybody else's."""

from __future__ import annotations

from functools import lru_cache
from types import CodeType
from typing import Any


class AuthorFault(BaseException):
    """The author's code did what it must not; passes through its own `except Exception`.

    Attributes:
        path: JSON path of the field at fault.
    """

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(message)
        self.path = path


@lru_cache(maxsize=16)
def _compiled(source: str, field: str) -> CodeType:
    """A problem's test code runs once a submission, and need not be compiled as often."""
    return compile(source, f"<{field}>", "exec")


def run_author_code(source: str, field: str, names: dict[str, Any]) -> None:
    """Execute a code field of the spec.

    Raises:
        AuthorFault: it raises; the message names field, line and exception.
    """
    try:
        exec(_compiled(source, field), names)
    except (Exception, SystemExit) as error:
        sentence = f"{field} raises {fault_sentence(error, f'<{field}>')}"
        raise AuthorFault(sentence, f"$.{field}") from error


def fault_sentence(error: BaseException, file_name: str) -> str:
    """Exception, line of the field it came from, and message."""
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
