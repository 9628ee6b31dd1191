"""Whatever is sent becomes text and a tree, or a sentence; never a crash, never a warning."""

from __future__ import annotations

import ast
import warnings

import pytest

from grader.source import (
    MAX_SOURCE_BYTES,
    InvalidSource,
    compile_source,
    decode_source,
    parse_source,
)

READABLE = [
    ("plain", b"x = 1\n", "x = 1\n"),
    ("byte order mark", b"\xef\xbb\xbfx = 1", "x = 1"),
    ("CRLF stays", b"x = 1\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
    ("tabs and form feeds stay", b"if 1:\n\tx = 1\n\x0c\ny = 2", "if 1:\n\tx = 1\n\x0c\ny = 2"),
    ("Chinese", "数 = '字'".encode(), "数 = '字'"),
    ("cookie that says utf-8", b"# -*- coding: UTF8 -*-\nx = 1", "# -*- coding: UTF8 -*-\nx = 1"),
    ("cookie too late to count", b"x = 1\n# coding: gbk\n", "x = 1\n# coding: gbk\n"),
    ("the largest", b"#" * MAX_SOURCE_BYTES, "#" * MAX_SOURCE_BYTES),
]

UNREADABLE = [
    ("empty", b"", "the source is empty", None, None),
    ("blank", b" \r\n\t\x0c\n", "the source is empty", None, None),
    ("a mark alone", b"\xef\xbb\xbf", "the source is empty", None, None),
    ("NUL", b"x = 1\ny\0", "the source holds a NUL byte; is it a text file?", 2, 2),
    (
        "Latin-1",
        "# 字\r\nx = '\xff'".encode("latin-1", "ignore"),
        "the source is not UTF-8 (byte 0xff); save it as UTF-8 and send it again",
        2,
        6,
    ),
    (
        "UTF-16",
        "x = 1".encode("utf-16"),
        "the source is UTF-16; save it as UTF-8 and send it again",
        1,
        1,
    ),
    (
        "another cookie",
        b"#!/usr/bin/python\n# vim: set fileencoding=gbk :\n",
        "encoding utf-8 expected, got `coding: gbk`; save the source as UTF-8",
        2,
        25,
    ),
    (
        "an unknown cookie",
        b"# coding: klingon\n",
        "encoding utf-8 expected, got `coding: klingon`; save the source as UTF-8",
        1,
        11,
    ),
    (
        "one byte too many",
        b"#" * (MAX_SOURCE_BYTES + 1),
        "source of at most 262144 bytes expected, got 262145",
        None,
        None,
    ),
]

TOO_DEEP = "the source is nested too deeply for Python's parser"
BROKEN = [
    ("indentation", "x = 1\n  y", "unexpected indent", 2, 2),
    ("a missing parenthesis", "f(", "'(' was never closed", 1, 2),
    ("column in characters", "数 = '字' +", "invalid syntax", 1, 10),
    ("a NUL character", "a\0b", "source code string cannot contain null bytes", None, None),
    (
        "a lone surrogate",
        "x = '\ud800'",
        "the source holds a lone surrogate, which is no text",
        None,
        None,
    ),
    ("a long sum", "1+" * 100_000 + "1", TOO_DEEP, None, None),
    ("a long chain", "a" + ".b" * 100_000, TOO_DEEP, None, None),
    ("many signs", "-" * 200_000 + "1", TOO_DEEP, None, None),
    ("many brackets", "(" * 100_000, "too many nested parentheses", 1, 201),
    ("many branches", "if 1: pass\n" + "elif 1: pass\n" * 20_000, TOO_DEEP, None, None),
]


@pytest.mark.parametrize(("data", "text"), [r[1:] for r in READABLE], ids=[r[0] for r in READABLE])
def test_source_is_read_as_it_is(data: bytes, text: str) -> None:
    """Editors save in many ways; only what Python would read otherwise is refused."""
    assert decode_source(data) == text


@pytest.mark.parametrize(
    ("data", "message", "line", "column"),
    [row[1:] for row in UNREADABLE],
    ids=[row[0] for row in UNREADABLE],
)
def test_unreadable_source_is_named(
    data: bytes, message: str, line: int | None, column: int | None
) -> None:
    """The learner is told what to change."""
    with pytest.raises(InvalidSource) as caught:
        decode_source(data)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


@pytest.mark.parametrize("step", [parse_source, compile_source])
@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [row[1:] for row in BROKEN],
    ids=[row[0] for row in BROKEN],
)
def test_broken_source_says_what_python_says(
    step: object, text: str, message: str, line: int | None, column: int | None
) -> None:
    """A source that kills the parser is the submission's fault, not a crash of ours."""
    assert callable(step)
    with pytest.raises(InvalidSource) as caught:
        step(text)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


def test_compiler_error_has_its_place() -> None:
    """Some errors pass the parser and show only when the tree is compiled."""
    tree = parse_source("x = 1\nreturn x")
    with pytest.raises(InvalidSource, match="'return' outside function") as caught:
        compile_source(tree)
    assert caught.value.line == 2


def test_doubtful_escape_is_no_error() -> None:
    r"""`"\d"` only warns, and a warning must neither fail nor print."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = parse_source(r"x = '\d'; y = 1 is 1")
        compile_source(tree)
        compile_source(r"x = '\d'; y = 1 is 1")


def test_source_is_compiled_without_our_future_imports() -> None:
    """This package postpones annotations; a submission says so itself if it wants that."""
    namespace: dict[str, object] = {}
    exec(compile_source("def f(x: int): pass"), namespace)
    function = namespace["f"]
    assert function.__annotations__ == {"x": int}


def test_tree_and_text_compile_to_the_same() -> None:
    """The worker parses once, checks the tree and compiles that."""
    text = "def f(x):\r\n\treturn x + 1\r\n"
    assert compile_source(parse_source(text)).co_code == compile_source(text).co_code


def test_positions_in_a_traceback_name_the_submission() -> None:
    """Learners read tracebacks."""
    assert compile_source(ast.parse("1")).co_filename == "<submission>"
