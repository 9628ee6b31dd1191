"""The problem as the grader sees it: found by slug or path, validated once, then trusted."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.errors import Finding, SpecError, UnknownProblem
from grader.specs.problem_schema import bundle_folder, problem_schema, to_canonical_json
from grader.specs.spec_faults import document_faults

__all__ = [
    "Case",
    "Checks",
    "EquivalentMutant",
    "ExpectedError",
    "GeneratedCases",
    "Problem",
    "find_faults",
    "find_problem",
    "list_problems",
    "load_problem",
    "to_canonical_json",
]

MAX_SPEC_BYTES = 8 * 1024 * 1024  # a seed has 9 KB; the largest code field may have 256 KB


@dataclass(frozen=True)
class ExpectedError:
    """The exception that a case must end with.

    Attributes:
        type: a builtin's name, or a name of the reference or set-up code.
        message: text that must occur in the message; None if any will do.
    """

    type: str
    message: str | None = None


@dataclass(frozen=True)
class Case:
    """One named set of arguments.

    Attributes:
        params: name, type and value as the site shows them.
        raw_inputs: a Python expression per parameter, in order; empty for a drawn case.
        atol: of this case; None for the problem's. `rtol` likewise.
        drawn: index in `generated_cases`; None for a case that is declared.
    """

    name: str
    input_desc: str
    params: tuple[dict[str, str], ...]
    raw_inputs: dict[str, str]
    hidden: bool = False
    expect_error: ExpectedError | None = None
    atol: float | None = None
    rtol: float | None = None
    drawn: int | None = None


@dataclass(frozen=True)
class GeneratedCases:
    """Cases to draw from a generator made from slug, seed and index.

    Attributes:
        code: defines `generate(rng, index)` or `generate(rng, index, size)`.
        count: how many to draw.
    """

    code: str
    count: int
    seed: int


@dataclass(frozen=True)
class EquivalentMutant:
    """A mutant of the reference that no case can tell from it, and why."""

    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class Checks:
    """What is checked besides the result; the schema tells what each means."""

    inputs_unchanged: bool
    no_alias: bool
    deterministic: bool


@dataclass(frozen=True)
class Problem:
    """One problem. Names are the schema's, with the unit where there is one.

    Attributes:
        cases: the declared ones, then the drawn ones.
        loosened: names of comparison rules that do not hold here.
        digest: SHA-256 of the canonical JSON, in hexadecimal: the same for any lay-out.
        raw: the document as read; for writing it back, not for grading.
    """

    slug: str
    title: str
    difficulty: str
    difficulty_breakdown: dict[str, int]
    category: str
    tags: tuple[str, ...]
    language: str
    description_md: str
    hints: tuple[str, ...]
    entry_point: str
    starter_code: str = field(repr=False)
    reference_code: str = field(repr=False)
    setup_code: str | None = field(repr=False)
    probe_code: str | None = field(repr=False)
    test_code: str | None = field(repr=False)
    cases: tuple[Case, ...]
    generated_cases: GeneratedCases | None
    time_limit_s: float
    memory_limit_mb: int
    atol: float
    rtol: float
    loosened: frozenset[str]
    checks: Checks
    forbidden_modules: tuple[str, ...]
    forbidden_calls: tuple[str, ...]
    forbidden_apis: tuple[str, ...]
    is_featured: bool
    editorial_md: str = field(repr=False)
    translations: dict[str, dict[str, Any]] = field(repr=False)
    equivalent_mutants: tuple[EquivalentMutant, ...]
    source: dict[str, str] | None
    license: str | None
    author: str | None
    digest: str
    raw: dict[str, Any] = field(repr=False, compare=False)


def load_problem(slug_or_path: str | Path) -> Problem:
    """Return the problem of a slug in the bundle, or of a file.

    Raises:
        UnknownProblem: no such slug or file; the message offers close ones.
        SpecError: the spec is faulty; it holds every fault.
    """
    path = find_problem(slug_or_path)
    problem, findings = find_faults(path)
    if problem is None:
        raise SpecError(findings)
    return problem


def list_problems() -> list[Path]:
    """Return the files of the bundle, by slug."""
    return sorted(bundle_folder("problems").glob("*.json"))


def find_faults(path: str | Path, text: str | None = None) -> tuple[Problem | None, list[Finding]]:
    """Return the problem in a file, or None and all its faults, by position.

    Args:
        path: as the findings shall name it.
        text: what the file holds; read from `path` if absent.

    Raises:
        OSError: the file cannot be read.
    """
    shown = str(path)
    try:
        if text is None:
            text = _read(Path(path))
        elif len(text.encode("utf-8", "surrogatepass")) > MAX_SPEC_BYTES:
            raise ValueError(_TOO_LARGE)
    except ValueError as error:
        return None, [Finding(shown, 0, 0, "$", str(error))]
    document, findings = document_faults(shown, text)
    return (None if findings else _problem(document)), findings


_TOO_LARGE = f"a spec of at most {MAX_SPEC_BYTES} bytes expected, got more"


def _read(path: Path) -> str:
    """Return the text of a spec, never reading more than a spec may have."""
    with path.open("rb") as file:
        data = file.read(MAX_SPEC_BYTES + 1)
    if len(data) > MAX_SPEC_BYTES:
        raise ValueError(_TOO_LARGE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"UTF-8 expected, got byte 0x{data[error.start]:02x} in line {line}"
        ) from None


def find_problem(slug_or_path: str | Path) -> Path:
    """Return the file of a slug in the bundle, or of a path.

    Raises:
        UnknownProblem: no such slug or file; the message offers close ones.
    """
    text = str(slug_or_path)
    path = Path(slug_or_path)
    if isinstance(slug_or_path, Path) or path.suffix == ".json" or len(path.parts) > 1:
        if path.is_file():
            return path
        raise UnknownProblem(f"no file {text!r}; a slug or the path of a problem's JSON expected")
    known = {file.stem: file for file in list_problems()}
    if text in known:
        return known[text]
    if path.is_file():
        return path
    close = difflib.get_close_matches(text, known, n=3)
    hint = f"did you mean {', '.join(close)}?" if close else "`grader list` shows all"
    raise UnknownProblem(f"no problem {text!r}; {hint}")


def _problem(raw: dict[str, Any]) -> Problem:
    """Return the model of a valid document; defaults are the schema's."""
    fields = problem_schema()["properties"]
    full = {name: raw.get(name, fields[name].get("default")) for name in fields}
    checks = {name: rule["default"] for name, rule in fields["checks"]["properties"].items()}
    generated = full["generated_cases"]
    same: dict[str, Any] = {name: full[name] for name in _SAME}
    same |= {name: tuple(full[name]) for name in _LISTS}
    return Problem(
        **same,
        difficulty_breakdown=full["difficulty_breakdown"] or {},
        cases=(*map(_case, raw["test_cases"]), *_drawn(generated["count"] if generated else 0)),
        generated_cases=GeneratedCases(**generated) if generated else None,
        time_limit_s=float(raw["time_limit"]),
        memory_limit_mb=int(raw["memory_limit_mb"]),
        atol=float(raw["atol"]),
        rtol=float(raw["rtol"]),
        loosened=frozenset((full["comparison"] or {}).get("loosen", ())),
        equivalent_mutants=tuple(EquivalentMutant(**each) for each in full["equivalent_mutants"]),
        checks=Checks(**(checks | (full["checks"] or {}))),
        digest=hashlib.sha256(to_canonical_json(raw).encode("utf-8")).hexdigest(),
        raw=raw,
    )


_SAME = (
    *("slug", "title", "difficulty", "category", "language", "description_md", "entry_point"),
    *("starter_code", "reference_code", "setup_code", "probe_code", "test_code", "is_featured"),
    *("editorial_md", "translations", "source", "license", "author"),
)
_LISTS = ("tags", "hints", "forbidden_modules", "forbidden_calls", "forbidden_apis")


def _drawn(count: int) -> Iterator[Case]:
    for index in range(count):
        yield Case(f"generated {index}", "", (), {}, hidden=True, drawn=index)


def _case(raw: dict[str, Any]) -> Case:
    error = raw.get("expect_error")
    return Case(
        name=raw["name"],
        input_desc=raw.get("input_desc", ""),
        params=tuple(raw.get("params", ())),
        raw_inputs=raw["raw_inputs"],
        hidden=raw.get("hidden", False),
        expect_error=ExpectedError(**error) if error else None,
        atol=raw.get("atol"),
        rtol=raw.get("rtol"),
    )
