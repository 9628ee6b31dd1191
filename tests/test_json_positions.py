"""The reader agrees with `json` on JSON, refuses the rest, and knows where everything stands."""

from __future__ import annotations

import json
import time

import pytest

from grader.specs.json_positions import MAX_DEPTH, JsonFault, json_path, read_json

READ = [
    "null",
    "-0",
    "1E5",
    "[1 , 2.5,\t-3e-2 ]",
    '{"a": {}, "b": [], "": ""}',
    ' [ ] \r\n',
    '"\\ud83d\\ude00 \\u00e9 \\n 字"',
    "[" * MAX_DEPTH + "]" * MAX_DEPTH,
]  # fmt: skip

REFUSED = [
    ("nothing", "", "a JSON value expected, got the end of the document", 1, 1),
    ("an open object", "{", 'a key in double quotes or "}" expected', 1, 2),
    ("an open array", "[1", '"," or "]" expected', 1, 3),
    ("a comma too many", "[1,\n]", "a JSON value expected, got ']'", 2, 1),
    ("a comma too many in an object", '{"a": 1,}', 'a key in double quotes or "}" expected', 1, 9),
    ("a missing comma", '{"a": 1\n "b": 2}', '"," or "}" expected', 2, 2),
    ("a missing colon", '{"a" 1}', '":" after the key expected', 1, 6),
    ("a bare key", "{a: 1}", 'a key in double quotes or "}" expected', 1, 2),
    ("NaN", "[NaN]", "a JSON value expected, got 'NaN'", 1, 2),
    ("an infinity", "[-Infinity]", "a JSON value expected, got '-Infinity'", 1, 2),
    ("a huge exponent", "1e999", "a number within the range of a double expected, got 1e999", 1, 1),
    ("a huge number", "1" * 5000, "a number of at most 1000 digits expected", 1, 1),
    ("a leading zero", "01", "a JSON value expected, got '01'", 1, 1),
    ("a key twice", '{"字": 1,\n "字": 2}', 'the key "字" twice', 2, 2),
    ("a lone surrogate", '["\\ud800"]', "a lone surrogate, which is no text,", 1, 2),
    ("a raw line break", '"a\nb"', "Invalid control character", 1, 3),
    ("an open string", '"abc', "Unterminated string starting", 1, 1),
    ("a false escape", '"\\x"', "Invalid \\escape", 1, 2),
    ("two documents", "{} {}", "end of the document expected", 1, 4),
    ("great depth", "[" * 100_000, "nesting of at most 64 levels expected, got more", 1, 65),
]


@pytest.mark.parametrize("text", READ)
def test_json_is_read_as_json_reads_it(text: str) -> None:
    """Positions must not change what a file means."""
    assert read_json(text).value == json.loads(text)


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [row[1:] for row in REFUSED],
    ids=[row[0] for row in REFUSED],
)
def test_other_text_is_refused_with_its_place(
    text: str, message: str, line: int, column: int
) -> None:
    """An author goes to the line; two readers must not disagree about a file."""
    with pytest.raises(JsonFault) as caught:
        read_json(text)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


def test_every_key_and_value_has_its_place() -> None:
    """Findings point at them."""
    located = read_json('{\n  "字": [1, {"b": true}],\n  "c d": null\n}')
    assert located.values == {
        "$": (1, 1),
        '$["字"]': (2, 8),
        '$["字"][0]': (2, 9),
        '$["字"][1]': (2, 12),
        '$["字"][1].b': (2, 18),
        '$["c d"]': (3, 10),
    }
    assert located.keys == {'$["字"]': (2, 3), '$["字"][1].b': (2, 13), '$["c d"]': (3, 3)}


def test_path_quotes_what_is_no_name() -> None:
    """A path must be read in one way only."""
    assert json_path(["a", 0, 'x"y', "$schema"]) == '$.a[0]["x\\"y"]["$schema"]'


def test_many_values_are_refused_before_they_fill_the_memory() -> None:
    """Positions cost far more than the text: 8 MB of zeros would take a gigabyte."""
    start = time.process_time()
    with pytest.raises(JsonFault, match="at most 200000 values"):
        read_json("[" + "0," * 4_000_000 + "0]")
    assert time.process_time() - start < 5
