"""What a user sent, as text and syntax tree, or a sentence saying why it cannot be."""

from __future__ import annotations

import ast
import codecs
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

MAX_SOURCE_BYTES = 262_144  # 256 KiB; issue 2. The longest corpus file has 23 KiB.
FILENAME = "<submission>"

# PEP 263: the cookie counts in the first two lines, the second only after a comment or blank.
_COOKIE = re.compile(
    rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)"
)

# `catch_warnings` swaps a list the whole process shares; two threads at once would lose it.
_warning_filters = threading.Lock()


class InvalidSource(Exception):
    """The source cannot be read or parsed.

    Attributes:
        message: what is wrong, in Python's words where Python said it.
        line: 1-based; None where no line is to blame.
        column: 1-based, in characters; None likewise.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


def decode_source(data: bytes) -> str:
    """Return the text of a submission; a byte order mark is dropped, line ends are kept.

    Args:
        data: the bytes as sent, UTF-8.

    Raises:
        InvalidSource: too large, blank, not UTF-8, or holding a NUL byte.

    Example:
        >>> decode_source(b"\\xef\\xbb\\xbfx = 1")
        'x = 1'
    """
    if len(data) > MAX_SOURCE_BYTES:
        raise InvalidSource(f"source of at most {MAX_SOURCE_BYTES} bytes expected, got {len(data)}")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InvalidSource("the source is UTF-16; save it as UTF-8 and send it again", 1, 1)
    data = data.removeprefix(codecs.BOM_UTF8)
    if (nul := data.find(b"\0")) >= 0:
        raise InvalidSource("the source holds a NUL byte; is it a text file?", *_place(data, nul))
    _check_cookie(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte 0x{data[error.start]:02x}"
        message = f"the source is not UTF-8 ({found}); save it as UTF-8 and send it again"
        raise InvalidSource(message, *_place(data, error.start)) from None
    if not text.strip():
        raise InvalidSource("the source is empty")
    return text


def parse_source(text: str) -> ast.Module:
    """Return the syntax tree, without a warning whatever the text.

    Raises:
        InvalidSource: not Python, or nested more deeply than its parser bears.
    """
    with _quiet_compiler():
        return ast.parse(text, FILENAME)


def compile_source(source: str | ast.Module) -> CodeType:
    """Return code to execute, without a warning whatever the source.

    Raises:
        InvalidSource: as `parse_source`, and for what only the compiler sees
            (`return` outside a function, say).
    """
    with _quiet_compiler():
        # The flags of this module's own `from __future__` must not reach the submission.
        code: CodeType = compile(source, FILENAME, "exec", dont_inherit=True)
        return code


@contextmanager
def _quiet_compiler() -> Iterator[None]:
    """Drop the compiler's warnings and turn its errors into `InvalidSource`."""
    with _warning_filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except SyntaxError as error:
            line = error.lineno or None
            raise InvalidSource(error.msg, line, (line and error.offset) or None) from None
        except (RecursionError, MemoryError):
            raise InvalidSource("the source is nested too deeply for Python's parser") from None
        except UnicodeEncodeError:
            raise InvalidSource("the source holds a lone surrogate, which is no text") from None
        except ValueError as error:  # a NUL character, before Python 3.12
            raise InvalidSource(str(error)) from None


def _check_cookie(data: bytes) -> None:
    """Refuse a declared encoding other than UTF-8: Python would read other words than we do."""
    if not (found := _COOKIE.match(data)):
        return
    name = found[1].decode("ascii", "replace")
    try:
        known = codecs.lookup(name).name
    except LookupError:
        known = name
    if known not in ("utf-8", "utf-8-sig"):
        message = f"encoding utf-8 expected, got `coding: {name}`; save the source as UTF-8"
        raise InvalidSource(message, *_place(data, found.start(1)))


def _place(data: bytes, offset: int) -> tuple[int, int]:
    """Return 1-based line and column, in characters, of a byte that follows valid UTF-8."""
    before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1
