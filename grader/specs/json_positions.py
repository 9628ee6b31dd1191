"""A strict JSON reader that remembers where every key and value stands in the file."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]  # typeshed leaves it out
from typing import Any

MAX_DEPTH = 64  # a spec nests 6 deep
MAX_VALUES = 200_000  # a spec of 1000 cases has 30,000; each costs 300 bytes of positions
_MAX_DIGITS = 1000  # int() of very long text is quadratic, and refused from 4300 digits on

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z0-9_+.-]+")
_LITERALS = {"true": True, "false": False, "null": None}
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonFault(ValueError):
    """Not JSON as we want it: what, and where (1-based line and column, in characters)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message} at line {line}, column {column}")
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True)
class LocatedJson:
    """A JSON value, and line and column of its parts by JSON path."""

    value: Any
    values: dict[str, tuple[int, int]] = field(repr=False)
    keys: dict[str, tuple[int, int]] = field(repr=False)


def json_path(parts: Iterable[str | int]) -> str:
    """Return the JSON path of a chain of keys and indices.

    Example:
        >>> json_path(["test_cases", 2, "raw_inputs", "a b"])
        '$.test_cases[2].raw_inputs["a b"]'
    """
    return "$" + "".join(_segment(part) for part in parts)


def _segment(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    if _PLAIN_KEY.fullmatch(part):
        return f".{part}"
    return f"[{json.dumps(part, ensure_ascii=False)}]"


def place_of(located: LocatedJson, path: str) -> tuple[int, int]:
    """Return line and column of a JSON path, or of the nearest field above it."""
    while path not in located.values and path != "$":
        path = path[: max(path.rfind("."), path.rfind("["), 1)]
    return located.values.get(path, (0, 0))


def read_json(text: str) -> LocatedJson:
    """Return a JSON document with positions.

    Raises:
        JsonFault: broken syntax; a key twice in one object; NaN, an infinity or a number beyond
            a double; a lone surrogate; nesting beyond `MAX_DEPTH`; more than `MAX_VALUES` values.
    """
    return _Reader(text).read()


class _Reader:
    """Recursive descent, which the depth limit keeps shallow."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._values: dict[str, tuple[int, int]] = {}
        self._keys: dict[str, tuple[int, int]] = {}

    def read(self) -> LocatedJson:
        self._skip_space()
        value = self._value("$", 0)
        self._skip_space()
        if self._at < len(self._text):
            raise self._fault("end of the document expected")
        return LocatedJson(value, self._values, self._keys)

    def _value(self, path: str, depth: int) -> Any:
        if len(self._values) >= MAX_VALUES:
            raise self._fault(f"at most {MAX_VALUES} values expected, got more")
        self._values[path] = self._place(self._at)
        match self._text[self._at : self._at + 1]:
            case "{":
                return self._object(path, depth + 1)
            case "[":
                return self._array(path, depth + 1)
            case '"':
                return self._string()
            case _:
                return self._scalar()

    def _object(self, path: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in self._items("}", depth):
            if self._text[self._at : self._at + 1] != '"':
                raise self._fault('a key in double quotes or "}" expected')
            start = self._at
            key = self._string()
            if key in found:
                raise self._fault(f"the key {json.dumps(key, ensure_ascii=False)} twice", start)
            where = path + _segment(key)
            self._keys[where] = self._place(start)
            self._skip_space()
            self._take(":", '":" after the key expected')
            found[key] = self._value(where, depth)
        return found

    def _array(self, path: str, depth: int) -> list[Any]:
        return [self._value(f"{path}[{index}]", depth) for index in self._items("]", depth)]

    def _items(self, end: str, depth: int) -> Iterable[int]:
        """Yield an index before each item and see to brackets and commas around it."""
        if depth > MAX_DEPTH:
            raise self._fault(f"nesting of at most {MAX_DEPTH} levels expected, got more")
        self._at += 1
        self._skip_space()
        index = 0
        while self._text[self._at : self._at + 1] != end or index:
            yield index
            index += 1
            self._skip_space()
            if self._text[self._at : self._at + 1] == end:
                break
            self._take(",", f'"," or "{end}" expected')
        self._at += 1

    def _string(self) -> str:
        start = self._at
        try:
            text: str
            text, self._at = scanstring(self._text, start + 1, True)
        except json.JSONDecodeError as error:
            raise self._fault(error.msg.rstrip(" at"), error.pos) from None
        if _SURROGATE.search(text):
            raise self._fault("a lone surrogate, which is no text,", start)
        return text

    def _scalar(self) -> Any:
        start = self._at
        word = _WORD.match(self._text, start)
        shown = word[0] if word else self._text[start : start + 1]
        self._at += len(shown)
        if shown in _LITERALS:
            return _LITERALS[shown]
        number = _NUMBER.fullmatch(shown)
        if not number:
            found = f", got {shown[:40]!r}" if shown else ", got the end of the document"
            raise self._fault(f"a JSON value expected{found}", start)
        if len(shown) > _MAX_DIGITS:
            raise self._fault(f"a number of at most {_MAX_DIGITS} digits expected", start)
        if not number[2] and not number[3]:
            return int(shown)
        value = float(shown)
        if abs(value) == float("inf"):
            raise self._fault(f"a number within the range of a double expected, got {shown}", start)
        return value

    def _skip_space(self) -> None:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at

    def _take(self, mark: str, complaint: str) -> None:
        if self._text[self._at : self._at + 1] != mark:
            raise self._fault(complaint)
        self._at += 1
        self._skip_space()

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _fault(self, message: str, offset: int | None = None) -> JsonFault:
        return JsonFault(message, *self._place(self._at if offset is None else offset))
