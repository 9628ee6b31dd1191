# ruff: noqa: E501  (tables read best with one row a line)
"""A spec is found, validated with all its faults at once, and becomes a model one can trust."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.errors import SpecError, UnknownProblem
from grader.source import compile_source
from grader.spec import (
    MAX_SPEC_BYTES,
    ExpectedError,
    find_faults,
    list_problems,
    load_problem,
    to_canonical_json,
)

ROOT = Path(__file__).parent.parent
SLUG = "balanced-accuracy-macro-recall"
RESTORED = ROOT / "tests" / "corpus" / "seeds" / f"{SLUG}.json"
BUNDLED = ROOT / "problems" / f"{SLUG}.json"
RECEIVED = ROOT / "tests" / "corpus" / "seeds" / f"{SLUG}.received.json"
CODE_FIELDS = ("starter_code", "reference_code", "test_code")


def spec(**changes: Any) -> dict[str, Any]:
    """Return a small faultless declarative spec, changed at its top."""
    document: dict[str, Any] = {
        "slug": "add",
        "title": "Add",
        "difficulty": "Easy",
        "category": "Math",
        "description_md": "Add.",
        "entry_point": "add",
        "starter_code": "def add(a, b=1):\n    pass\n",
        "reference_code": "class Odd(ValueError): pass\n\n\ndef add(a, b=1):\n    return a + b\n",
        "test_cases": [{"name": "one", "raw_inputs": {"a": "1", "b": "torch.ones(2)"}}],
        "time_limit": 1,
        "memory_limit_mb": 64,
        "atol": 0,
        "rtol": 0,
    }
    return document | changes


def case(**changes: Any) -> dict[str, Any]:
    return {"name": "one", "raw_inputs": {"a": "1"}} | changes


def faults(document: Any) -> list[str]:
    text = json.dumps(document, ensure_ascii=False)
    problem, findings = find_faults("x.json", text)
    assert (problem is None) == bool(findings)
    return [f"{finding.path}: {finding.message}" for finding in findings]


# -- faults ------------------------------------------------------------------------------------

SCHEMA_FAULTS = [
    ("a wrong kind", spec(time_limit="5"), '$.time_limit: "5" found, a number expected'),
    ("a fraction", spec(memory_limit_mb=1.5), "$.memory_limit_mb: 1.5 found, an integer expected"),
    ("a bool for a number", spec(atol=True), "$.atol: true found, a number expected"),
    ("an object for text", spec(title={}), "$.title: an object found, text expected"),
    ("too small", spec(atol=-1), "$.atol: -1 found, at least 0 expected"),
    ("too large", spec(time_limit=301), "$.time_limit: 301 found, at most 300 expected"),
    ("nothing", spec(time_limit=0), "$.time_limit: 0 found, more than 0 expected"),
    (
        "a bad slug",
        spec(slug="Add One"),
        '$.slug: "Add One" found, text that matches ^[a-z0-9]+(-[a-z0-9]+)*$ expected',
    ),
    (
        "a wrong choice",
        spec(difficulty="easy"),
        '$.difficulty: "easy" found, one of "Easy", "Medium", "Hard" expected '
        '(did you mean "Easy"?)',
    ),
    (
        "an unknown field",
        spec(forbiden_calls=[]),
        '$.forbiden_calls: unknown field "forbiden_calls" (did you mean "forbidden_calls"?)',
    ),
    (
        "an unknown field deep inside",
        spec(test_cases=[case(atoll=1)]),
        '$.test_cases[0].atoll: unknown field "atoll" (did you mean "atol"?)',
    ),
    (
        "a missing field deep inside",
        spec(test_cases=[{"name": "one"}]),
        '$.test_cases[0]: required field "raw_inputs" is missing',
    ),
    (
        "a value that is no text",
        spec(test_cases=[case(raw_inputs={"a": 1})]),
        "$.test_cases[0].raw_inputs.a: 1 found, text expected",
    ),
    (
        "a name that is no name",
        spec(test_cases=[case(raw_inputs={"a": "1", "b c": "2"})]),
        '$.test_cases[0].raw_inputs["b c"]: the name "b c" does not match ^[A-Za-z_][A-Za-z0-9_]*$',
    ),
    (
        "no case and no test code",
        spec(test_cases=[]),
        "$.test_cases: 0 items found, at least 1 expected",
    ),
    ("an item twice", spec(tags=["x", "x"]), '$.tags: "x" found twice, each item once expected'),
    (
        "a language that is none",
        spec(translations={"English": {}}),
        '$.translations.English: unknown field "English"',
    ),
    ("no object at all", [], "$: an array found, an object expected"),
]

OTHER_FAULTS = [
    (
        "starter that does not compile",
        spec(starter_code="def add(a, b=1):\npass\n"),
        "$.starter_code: line 2 of the field: "
        "expected an indented block after function definition on line 1",
    ),
    (
        "reference that only the compiler refuses",
        spec(reference_code="def add(a, b=1): pass\nreturn\n"),
        "$.reference_code: line 2 of the field: 'return' outside function",
    ),
    (
        "generator that does not compile",
        spec(generated_cases={"code": "def", "count": 1, "seed": 0}),
        "$.generated_cases.code: line 1 of the field: invalid syntax",
    ),
    (
        "generator without its function",
        spec(generated_cases={"code": "x = 1", "count": 1, "seed": 0}),
        '$.generated_cases.code: "generate" is not defined at top level',
    ),
    (
        "set-up code that does not compile",
        spec(setup_code="x ="),
        "$.setup_code: line 1 of the field: invalid syntax",
    ),
    (
        "starter without the entry point",
        spec(starter_code="def ad(): pass"),
        '$.starter_code: "add" is not defined at top level (did you mean "ad"?)',
    ),
    (
        "reference with the entry point inside",
        spec(reference_code="class A:\n    def add(): pass"),
        '$.reference_code: "add" is not defined at top level',
    ),
    (
        "probe without its function",
        spec(probe_code="x = 1"),
        '$.probe_code: "probe" is not defined at top level',
    ),
    (
        "two cases of one name",
        spec(test_cases=[case(), case()]),
        '$.test_cases[1].name: the name "one" is taken by $.test_cases[0]',
    ),
    (
        "an input that does not parse",
        spec(test_cases=[case(raw_inputs={"a": "1 +"})]),
        "$.test_cases[0].raw_inputs.a: not a Python expression: invalid syntax",
    ),
    (
        "an input that is a statement",
        spec(test_cases=[case(raw_inputs={"a": "x = 1"})]),
        "$.test_cases[0].raw_inputs.a: one Python expression expected",
    ),
    (
        "an input without a parameter",
        spec(reference_code="def add(a, bias=1): pass", test_cases=[case(raw_inputs={"a": "1", "bais": "1"})]),
        '$.test_cases[0].raw_inputs.bais: add has no parameter "bais" (did you mean "bias"?)',
    ),
    (
        "a parameter without an input",
        spec(test_cases=[case(raw_inputs={"b": "1"})]),
        '$.test_cases[0].raw_inputs: add needs "a", which is missing',
    ),
    (
        "an error that nobody defines",
        spec(test_cases=[case(expect_error={"type": "ValueEror"})]),
        '$.test_cases[0].expect_error.type: "ValueEror" is neither a builtin exception nor '
        'defined in reference_code or setup_code (did you mean "ValueError"?)',
    ),
    (
        "fewer cases than declared",
        spec(test_code="cases = [('one', 1)]", test_cases=[case(), case(name="two")]),
        '$.test_cases: 1 case is executed, 2 are declared: "two" is declared but not executed',
    ),
    (
        "other cases than declared",
        spec(test_code="rows = [('two', 1)]\nfor row in rows: pass"),
        '$.test_cases: 1 case is executed, 1 is declared: "two" is executed but not declared; '
        '"one" is declared but not executed',
    ),
    (
        "a name that is computed",
        spec(test_code="cases = [(name, 1), ('b', 2)]"),
        "$.test_cases: 2 cases are executed, 1 is declared",
    ),
]  # fmt: skip

FAULTLESS = [
    ("the smallest", spec()),
    ("test code alone", spec(test_code="for x in []: pass", test_cases=[])),
    ("test code that does not tell", spec(test_code="for x in make(): pass")),
    ("a lambda", spec(reference_code="add = lambda a, b=1: a + b")),
    ("a class", spec(reference_code="class add:\n    pass")),
    ("an annotated instance", spec(starter_code="add: object = 1")),
    ("a definition in a branch", spec(starter_code="if 1:\n    def add(a): pass\nelse:\n    add = 1")),
    ("any keyword", spec(reference_code="def add(**words): pass")),
    ("any arguments", spec(reference_code="def add(*args): pass")),
    ("an argument left out on purpose", spec(test_cases=[case(raw_inputs={}, expect_error={"type": "TypeError"})])),
    ("an error of the reference", spec(test_cases=[case(expect_error={"type": "Odd"})])),
    ("an error of a library", spec(test_cases=[case(expect_error={"type": "torch.linalg.LinAlgError"})])),
    ("an expression over lines", spec(test_cases=[case(raw_inputs={"a": " [1,\n2]  # two\n"})])),
    ("a probe takes the inputs", spec(probe_code="def probe(obj, steps): pass", test_cases=[case(raw_inputs={"steps": "3"})])),
    ("a doubtful escape", spec(reference_code="def add(a, b=1): return '\\d'")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "fault"), [row[1:] for row in SCHEMA_FAULTS], ids=[row[0] for row in SCHEMA_FAULTS]
)
def test_broken_schema_is_said_in_plain_words(document: Any, fault: str) -> None:
    """An author need not know JSON Schema."""
    assert faults(document) == [fault]


@pytest.mark.parametrize(
    ("document", "fault"), [row[1:] for row in OTHER_FAULTS], ids=[row[0] for row in OTHER_FAULTS]
)
def test_what_no_schema_sees_is_found(document: Any, fault: str) -> None:
    """Each of these would show only when a learner submits."""
    assert faults(document) == [fault]


@pytest.mark.parametrize("document", [r[1] for r in FAULTLESS], ids=[r[0] for r in FAULTLESS])
def test_sound_spec_has_no_fault(document: Any) -> None:
    """A check that cannot be sure keeps silent."""
    assert faults(document) == []


def test_missing_keyword_parameters_are_all_named() -> None:
    """Keyword-only parameters without a default are needed too."""
    document = spec(reference_code="def add(a, *, b, c, d=1): pass", test_cases=[case()])
    assert faults(document) == [
        '$.test_cases[0].raw_inputs: add needs "b", which is missing',
        '$.test_cases[0].raw_inputs: add needs "c", which is missing',
    ]


def test_all_faults_come_at_once_in_order_of_the_file() -> None:
    """Schema faults do not hide the others, nor one field another."""
    document = spec(starter_code="def", atol=2, slug="A", extra=1)
    del document["rtol"], document["title"]
    assert [fault.partition(":")[0] for fault in faults(document)] == [
        *("$", "$", "$.slug", "$.starter_code", "$.atol", "$.extra"),
    ]


def test_finding_is_one_line_with_its_place() -> None:
    """Editors jump to it."""
    _, findings = find_faults("p/x.json", json.dumps(spec(time_limit=0), indent=2))
    assert [str(f) for f in findings] == [
        "p/x.json:19:17: $.time_limit: 0 found, more than 0 expected"
    ]


def test_text_that_is_no_json_has_its_place() -> None:
    """The commonest fault of all."""
    _, findings = find_faults("x.json", '{\n "slug": "a",\n}')
    assert [str(f) for f in findings] == [
        'x.json:3:1: $: not JSON: a key in double quotes or "}" expected'
    ]


def test_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    """A spec comes from a stranger at times; a sparse file costs no disk."""
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024 * 1024)
    _, findings = find_faults(path)
    assert [f.message for f in findings] == [
        f"a spec of at most {MAX_SPEC_BYTES} bytes expected, got more"
    ]


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    """A file saved as GBK would show rubbish to learners."""
    path = tmp_path / "gbk.json"
    path.write_bytes('{\n"title": "题"}'.encode("gbk"))
    _, findings = find_faults(path)
    assert [f.message for f in findings] == ["UTF-8 expected, got byte 0xcc in line 2"]


def test_file_of_a_bundle_is_named_after_its_slug(tmp_path: Path) -> None:
    """`load_problem` finds a slug by its file."""
    folder = tmp_path / "problems"
    folder.mkdir()
    for path, expected in [
        (folder / "add.json", []),
        (folder / "sum.json", ["the file add.json expected, got sum.json"]),
        (tmp_path / "sum.json", []),
    ]:
        path.write_text(json.dumps(spec()), "utf-8")
        assert [f.message for f in find_faults(path)[1]] == expected


def test_seed_as_received_is_refused_for_both_its_faults() -> None:
    """Its white space was collapsed on the way, and it runs a case that it does not declare."""
    _, findings = find_faults(RECEIVED)
    assert [(f.line, f.column, f.path, f.message) for f in findings] == [
        (
            22,
            16,
            "$.test_code",
            "line 16 of the field: expected an indented block after 'try' statement on line 15",
        ),
        (
            23,
            17,
            "$.test_cases",
            '4 cases are executed, 3 are declared: "高召回低特异度" is executed but not declared',
        ),
    ]


# -- the restored seed -------------------------------------------------------------------------


def test_restored_seed_differs_from_the_received_in_white_space_and_one_case() -> None:
    """Words and values are the author's."""
    received, restored = (json.loads(path.read_text("utf-8")) for path in (RECEIVED, RESTORED))
    added = restored["test_cases"].pop()
    assert list(received) == list(restored)
    for name, value in received.items():
        if isinstance(value, str):
            assert re.sub(r"\s", "", value) == re.sub(r"\s", "", restored[name]), name
            assert value.split() == restored[name].split(), name
        else:
            assert value == restored[name], name
    values = {"tp": "95", "tn": "50", "fp": "50", "fn": "5", "eps": "1e-12"}
    sibling = received["test_cases"][0]
    assert added == {
        "name": "高召回低特异度",
        "input_desc": sibling["input_desc"],
        "params": [param | {"value": values[param["name"]]} for param in sibling["params"]],
        "raw_inputs": values,
    }


def test_code_of_the_restored_seed_compiles_and_is_indented_by_four() -> None:
    """The code blocks of the texts are part of it."""
    document = json.loads(RESTORED.read_text("utf-8"))
    blocks = [document[name] for name in CODE_FIELDS]
    for name in ("description_md", "editorial_md"):
        fenced = re.findall(r"```python\n(.*?)```", document[name], re.DOTALL)
        # The statement shows a bare signature.
        blocks += [re.sub(r":\n\Z", ": ...\n", block) for block in fenced]
    assert len(blocks) == 6
    for block in blocks:
        compile_source(block)
        assert {len(line) - len(line.lstrip()) for line in block.splitlines()} <= {0, 4, 8}


@pytest.mark.parametrize("path", list_problems(), ids=lambda path: path.stem)
def test_problem_of_the_bundle_is_faultless_and_canonical(path: Path) -> None:
    """Only `pack` writes these files."""
    problem, findings = find_faults(path)
    assert findings == []
    assert problem is not None
    assert to_canonical_json(problem.raw) == path.read_text("utf-8")


# -- the model ---------------------------------------------------------------------------------


def test_problem_is_found_by_slug_and_by_path() -> None:
    """Both are what people type."""
    by_slug = load_problem(SLUG)
    assert by_slug == load_problem(str(BUNDLED)) == load_problem(BUNDLED)
    assert (by_slug.time_limit_s, by_slug.memory_limit_mb) == (5.0, 512)
    assert [each.name for each in by_slug.cases][3] == "高召回低特异度"
    assert by_slug.cases[3].raw_inputs["tp"] == "95"
    assert BUNDLED in list_problems()


def test_optional_fields_have_the_defaults_of_the_schema() -> None:
    """A seed file keeps working."""
    problem, _ = find_faults("x.json", json.dumps(spec()))
    assert problem is not None
    assert (problem.test_code, problem.setup_code, problem.probe_code) == (None, None, None)
    assert (problem.hints, problem.tags, problem.forbidden_calls) == ((), (), ())
    assert (problem.loosened, problem.generated_cases, problem.language) == (
        frozenset(),
        None,
        "zh",
    )
    assert problem.checks.inputs_unchanged
    assert not problem.checks.no_alias
    assert not problem.checks.deterministic
    only = problem.cases[0]
    assert (only.hidden, only.expect_error, only.atol, only.rtol) == (False, None, None, None)


def test_optional_fields_reach_the_model() -> None:
    """Each is read by another part of the judge."""
    error = {"type": "ValueError", "message": "odd"}
    document = spec(
        test_cases=[case(hidden=True, expect_error=error, atol=0.5, rtol=0.25)],
        generated_cases={"code": "def generate(rng, index): return {}", "count": 2, "seed": 7},
        comparison={"loosen": ["dtypes"]},
        checks={"no_alias": True},
    )
    problem, findings = find_faults("x.json", json.dumps(document))
    assert findings == []
    assert problem is not None
    only = problem.cases[0]
    assert (only.hidden, only.atol, only.rtol) == (True, 0.5, 0.25)
    assert only.expect_error == ExpectedError("ValueError", "odd")
    assert problem.generated_cases is not None
    assert (problem.generated_cases.count, problem.generated_cases.seed) == (2, 7)
    assert problem.loosened == {"dtypes"}
    assert (problem.checks.inputs_unchanged, problem.checks.no_alias) == (True, True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("balanced-acuracy-macro-recal", f"did you mean {SLUG}"),
        ("qqq", "`grader list` shows all"),
        ("../problems/none.json", "no file '../problems/none.json'"),
        ("..", "no problem '..'"),
        ("", "no problem ''"),
    ],
)
def test_unknown_problem_is_named_with_help(name: str, message: str) -> None:
    """A typing slip is answered with the right word."""
    with pytest.raises(UnknownProblem, match=re.escape(message)):
        load_problem(name)


def test_faulty_spec_raises_all_faults() -> None:
    """The error holds the findings; its text is all of them."""
    with pytest.raises(SpecError) as caught:
        load_problem(RECEIVED)
    assert len(caught.value.findings) == 2
    assert str(caught.value).count("\n") == 1


def test_digest_ignores_layout_and_key_order_but_no_value() -> None:
    """It keys the cache of expected values."""

    def digest(document: dict[str, Any], indent: int | None = None) -> str:
        problem, _ = find_faults("x.json", json.dumps(document, indent=indent))
        assert problem is not None
        return problem.digest

    first = spec()
    assert re.fullmatch("[0-9a-f]{64}", digest(first))
    assert digest(first) == digest(dict(reversed(first.items())), 4)
    assert digest(first) != digest(first | {"atol": 0.5})


def test_canonical_order_is_the_schemas_at_every_depth() -> None:
    """A change of one value is then a change of one line."""
    ordered = spec(
        test_cases=[case(raw_inputs={"b": "2", "a": "字"}, hidden=True, expect_error={"type": "E", "message": "m"})]
    )  # fmt: skip
    shuffled = copy.deepcopy(dict(reversed(ordered.items())))
    shuffled["test_cases"] = [dict(reversed(ordered["test_cases"][0].items()))]
    text = to_canonical_json(shuffled)
    assert text == to_canonical_json(ordered)
    assert text.startswith('{\n  "slug": "add",\n  "title": "Add",')
    assert text.endswith("}\n")
    assert '"b": "2",\n        "a": "字"' in text
    assert to_canonical_json(json.loads(text)) == text


def test_import_of_the_model_is_light() -> None:
    """`grader --help` must not pay for jsonschema, let alone torch."""
    code = "import sys, grader.spec; print({'jsonschema', 'torch', 'numpy'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout == "set()\n"
