"""The problem schema: found, loaded once, and its complaints said in plain words."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.specs.json_positions import json_path

if TYPE_CHECKING:  # it takes 0.1 s to import, which `grader --help` need not pay
    from jsonschema import Draft202012Validator

_HERE = Path(__file__).parents[1]  # the package
_SHOWN = 60  # characters of a wrong value; enough to recognise it

_TYPES = {
    "string": "text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}

# JSON path of the fault, message, and whether it stands at the key rather than the value.
Complaint = tuple[str, str, bool]


def bundle_folder(name: str) -> Path:
    """Return the bundle's folder of that name: in the wheel, else in the checkout."""
    packed = _HERE / "bundle" / name
    return packed if packed.is_dir() else _HERE.parent / name


@cache
def problem_schema() -> dict[str, Any]:
    """Return `schemas/problem.schema.json`; do not change it."""
    text = (bundle_folder("schemas") / "problem.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(problem_schema())


def schema_complaints(document: Any) -> Iterator[Complaint]:
    """Yield everything in a document that breaks the schema, in no order."""
    errors = list(_validator().iter_errors(document))
    wrong_kind = {json_path(error.absolute_path) for error in errors if error.validator == "type"}
    for error in errors:
        # What is of a wrong kind need not be told of its wrong size as well.
        if error.validator == "type" or json_path(error.absolute_path) not in wrong_kind:
            yield from _complaints(error)


def to_canonical_json(raw: dict[str, Any]) -> str:
    """Return the one text of a spec: two-space indent, schema key order, UTF-8, final newline.

    Keys that the schema leaves to the author (`raw_inputs`) stay in the author's order.
    """
    ordered = _ordered(raw, problem_schema())
    return json.dumps(ordered, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _ordered(value: Any, schema: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_ordered(item, schema.get("items", {})) for item in value]
    if not isinstance(value, dict):
        return value
    known = schema.get("properties", {})
    others: dict[str, Any] = next(iter(schema.get("patternProperties", {}).values()), {})
    keys = [key for key in known if key in value] + [key for key in value if key not in known]
    return {key: _ordered(value[key], known.get(key, others)) for key in keys}


def _complaints(error: Any) -> Iterator[Complaint]:  # a ValidationError; its parts are untyped
    where, found, rule = json_path(error.absolute_path), error.instance, error.validator_value
    if error.validator == "required":
        # jsonschema reports each missing field by itself, but names it in its message alone.
        yield where, f"required field {_missing(error)} is missing", False
    elif error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        patterns = error.schema.get("patternProperties", {})
        for name in found:
            if name not in known and not _matches_any(name, patterns):
                place = json_path([*error.absolute_path, name])
                yield place, f"unknown field {_show(name)}{did_you_mean(name, known)}", True
    elif "propertyNames" in error.schema_path:
        place = json_path([*error.absolute_path, found])
        yield place, f"the name {_show(found)} does not match {rule}", True
    elif error.validator == "enum":
        choices = ", ".join(_show(choice) for choice in rule)
        hint = did_you_mean(found, rule) if isinstance(found, str) else ""
        yield where, f"{_show(found)} found, one of {choices} expected{hint}", False
    else:
        yield where, _sentence(str(error.validator), found, rule), False


def _sentence(keyword: str, found: Any, rule: Any) -> str:
    """Return what was found and what was expected."""
    match keyword:
        case "type":
            return f"{_show(found)} found, {_TYPES.get(rule, rule)} expected"
        case "pattern":
            return f"{_show(found)} found, text that matches {rule} expected"
        case "minimum":
            return f"{_show(found)} found, at least {rule} expected"
        case "maximum":
            return f"{_show(found)} found, at most {rule} expected"
        case "exclusiveMinimum":
            return f"{_show(found)} found, more than {rule} expected"
        case "minLength":
            return f"{len(found)} characters found, at least {rule} expected"
        case "maxLength":
            return f"{len(found)} characters found, at most {rule} expected"
        case "minItems":
            return f"{len(found)} items found, at least {rule} expected"
        case "maxItems":
            return f"{len(found)} items found, at most {rule} expected"
        case "maxProperties":
            return f"{len(found)} fields found, at most {rule} expected"
        case "uniqueItems":
            twice = next(item for place, item in enumerate(found) if item in found[:place])
            return f"{_show(twice)} found twice, each item once expected"
    return f"{_show(found)} found, which breaks {keyword} {_show(rule)}"


def did_you_mean(name: str, known: list[str]) -> str:
    """Return ` (did you mean "atol"?)`, or nothing when no known name is close."""
    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {_show(close[0])}?)" if close else ""


def _missing(error: Any) -> str:
    names = [name for name in error.validator_value if f"{name!r} is a" in error.message]
    return ", ".join(_show(name) for name in names)


def _matches_any(name: str, patterns: dict[str, Any]) -> bool:
    return any(re.search(pattern, name) for pattern in patterns)


def _show(value: Any) -> str:
    """Return a value as JSON, cut short; containers by kind alone."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
