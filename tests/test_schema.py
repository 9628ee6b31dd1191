"""The problem schema is valid, says what every field means, and lets nothing else in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).parent.parent
SCHEMA: dict[str, Any] = json.loads((ROOT / "schemas" / "problem.schema.json").read_text("utf-8"))
RECEIVED = ROOT / "tests" / "corpus" / "seeds" / "balanced-accuracy-macro-recall.received.json"


def parts(schema: dict[str, Any], path: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every subschema that describes a value, with its path."""
    yield path, schema
    for group in ("properties", "patternProperties"):
        for name, part in schema.get(group, {}).items():
            yield from parts(part, f"{path}.{name}")
    for name in ("items", "propertyNames", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from parts(schema[name], f"{path}.<{name}>")


PARTS = list(parts(SCHEMA))


def test_schema_is_valid_2020_12() -> None:
    """Editors and other tools read it."""
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("path", "part"), PARTS, ids=[path for path, _ in PARTS])
def test_every_field_is_described_and_typed(path: str, part: dict[str, Any]) -> None:
    """The schema is the reference page of the format."""
    assert part["description"].endswith(".")
    assert "type" in part or path.endswith("<propertyNames>")


@pytest.mark.parametrize(("path", "part"), [(p, s) for p, s in PARTS if s.get("type") == "object"])
def test_no_object_takes_unknown_fields(path: str, part: dict[str, Any]) -> None:
    """A misspelt optional field would silently do nothing."""
    free = part["additionalProperties"]
    assert free is False or (path.endswith(".raw_inputs") and free["type"] == "string")


@pytest.mark.parametrize(("path", "part"), PARTS, ids=[path for path, _ in PARTS])
def test_text_and_lists_are_bounded(path: str, part: dict[str, Any]) -> None:
    """Whatever a spec holds is shown somewhere."""
    if part.get("type") == "string":
        assert {"maxLength", "enum"} & part.keys()
    if part.get("type") == "array":
        assert "maxItems" in part or "enum" in part["items"]
    assert "format" not in part  # validators treat it as they please; `pattern` is binding


@pytest.mark.parametrize(("path", "part"), PARTS, ids=[path for path, _ in PARTS])
def test_defaults_are_valid(path: str, part: dict[str, Any]) -> None:
    """The model takes its defaults from here."""
    if "default" in part:
        jsonschema.validate(part["default"], part, cls=jsonschema.Draft202012Validator)


def test_seed_as_received_fits() -> None:
    """Its faults are in its code; the format itself is the seed's, unchanged."""
    jsonschema.validate(
        json.loads(RECEIVED.read_text("utf-8")), SCHEMA, cls=jsonschema.Draft202012Validator
    )


def test_every_optional_field_of_the_design_fits() -> None:
    """DESIGN.md lists them."""
    document = json.loads(RECEIVED.read_text("utf-8")) | {
        "$schema": "../schemas/problem.schema.json",
        "setup_code": "x = 1\n",
        "probe_code": "def probe(obj, **inputs): return obj(**inputs)\n",
        "generated_cases": {"code": "def generate(rng, index): return {}\n", "count": 9, "seed": 0},
        "comparison": {"loosen": ["sequence_types"]},
        "checks": {"inputs_unchanged": False, "no_alias": True, "deterministic": True},
        "forbidden_apis": ["torch.softmax", "torch.nn.functional.*"],
        "hints": ["Divide."],
        "language": "zh-Hans",
        "translations": {"en": {"title": "Balanced accuracy", "description_md": "Compute."}},
        "source": {"title": "TorchLeet", "url": "https://github.com/Exorust/TorchLeet"},
        "license": "MIT",
        "author": "Somebody",
    }
    document["test_cases"][0] |= {
        "hidden": True,
        "expect_error": {"type": "torch.linalg.LinAlgError", "message": "singular"},
        "atol": 0,
        "rtol": 1e-6,
    }
    jsonschema.validate(document, SCHEMA, cls=jsonschema.Draft202012Validator)
