"""The command line as a person and a script meet it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import CORPUS, SEED_SLUG, seed_spec
from jsonschema import Draft202012Validator

from grader.specs.problem_schema import bundle_folder

EXAMPLES = bundle_folder("examples") / SEED_SLUG
ROOT = Path(__file__).parent.parent
RECEIVED = CORPUS / "seeds" / f"{SEED_SLUG}.received.json"


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run `grader` and return what it said."""
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    return subprocess.CompletedProcess(
        command, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_accepted_exits_zero_and_prints_a_row_a_case() -> None:
    """The main door."""
    done = run("grade", SEED_SLUG, EXAMPLES / "1_right.py")
    assert done.returncode == 0, done.stderr
    assert "accepted  17/17 cases" in done.stdout
    assert "高召回低特异度" in done.stdout
    assert "\x1b" not in done.stdout, "no colours when piped"


def test_wrong_exits_one_and_shows_the_first_failure_in_full() -> None:
    """What was given, expected and returned, and what was printed."""
    done = run("grade", SEED_SLUG, EXAMPLES / "2_wrong_value.py")
    assert done.returncode == 1
    assert "wrong_answer" in done.stdout
    assert "input     tp=40, tn=80, fp=20, fn=10" in done.stdout
    assert "expected  " in done.stdout
    assert "stdout    precision is 0.6" in done.stdout


def test_forbidden_import_names_line_and_column() -> None:
    """Nothing of it is run."""
    done = run("grade", SEED_SLUG, EXAMPLES / "6_forbidden_import.py")
    assert done.returncode == 1
    assert "line 3, column 8: `os`" in done.stdout


def test_report_as_json_fits_its_schema() -> None:
    """For machines."""
    done = run("grade", SEED_SLUG, "-", "--json", stdin=(EXAMPLES / "1_right.py").read_bytes())
    assert done.returncode == 0, done.stderr
    schema = json.loads((bundle_folder("schemas") / "report.schema.json").read_text("utf-8"))
    assert not list(Draft202012Validator(schema).iter_errors(json.loads(done.stdout)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("grade", "balanced-acuracy-macro-recall", "-"), "did you mean balanced-accuracy-macro"),
        (("grade", "no/such/file.json", "-"), "no file 'no/such/file.json'"),
        (("grade", SEED_SLUG, "nowhere.py"), "nowhere.py: No such file or directory"),
        (("grade", RECEIVED, "-"), "the spec is faulty"),
        (("grade",), "Missing argument"),
        (("show", "nothing-like-it"), "`grader list` shows all"),
        (("validate", "nowhere.json"), "nowhere.json: no such file"),
    ],
)
def test_wrong_usage_exits_two_with_a_sentence(
    arguments: tuple[str | Path, ...], words: str
) -> None:
    """A person can act on it."""
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_validate_says_all_that_is_wrong_with_the_seed_as_it_arrived() -> None:
    """Its white space was collapsed, and it runs four cases where three are declared."""
    done = run("validate", RECEIVED)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert any("$.test_code" in line and "indented block" in line for line in lines)
    assert any("4 cases are executed, 3 are declared" in line for line in lines)
    for line in lines:
        assert line.startswith(f"{RECEIVED}:")
        assert all(part.isdigit() for part in line.split(":")[1:3])


def test_validate_runs_the_reference_and_locates_what_it_finds(tmp_path: Path) -> None:
    """Inputs that do not evaluate, and a reference that fails, are only seen by running them."""
    raw = seed_spec()
    del raw["test_code"]
    raw["test_cases"][1]["raw_inputs"]["tp"] = "1 // 0"
    raw["test_cases"][2]["raw_inputs"]["tp"] = "'many'"
    path = tmp_path / f"{SEED_SLUG}.json"
    path.write_text(json.dumps(raw, indent=2), "utf-8")
    done = run("validate", path)
    assert done.returncode == 2
    first, second = done.stdout.splitlines()
    line = next(n for n, t in enumerate(path.read_text("utf-8").splitlines(), 1) if "1 // 0" in t)
    assert first.startswith(f"{path}:{line}:")
    assert "$.test_cases[1].raw_inputs.tp" in first
    assert "ZeroDivisionError" in first
    assert "$.test_cases[2]" in second or "$.reference_code" in second
    assert "1 checked, 0 sound, 1 faulty (2 findings)" in done.stderr


def test_validate_compares_executed_with_declared_cases(tmp_path: Path) -> None:
    """By running the test code, whatever its form."""
    raw = seed_spec()
    raw["test_code"] = (
        raw["test_code"]
        .replace("cases = [", "cases = lambda: [")
        .replace("in enumerate(cases, 1)", "in enumerate(cases()[:3], 1)")
    )
    path = tmp_path / f"{SEED_SLUG}.json"
    path.write_text(json.dumps(raw), "utf-8")
    done = run("validate", path)
    assert done.returncode == 2
    assert "3 cases are executed, 4 are declared" in done.stdout
    assert "'高召回低特异度' is declared but not executed" in done.stdout


def test_the_bundle_is_sound() -> None:
    """The gate that CI runs."""
    done = run("validate", bundle_folder("problems"))
    assert done.returncode == 0, done.stdout
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"{", "not JSON"), (b"[]", "object"), (b"\xff", "UTF-8"), (b'{"slug": 1}', "$.slug")],
)
def test_validate_explains_files_that_are_no_specs(
    content: bytes, words: str, tmp_path: Path
) -> None:
    """Bad input gets file and line."""
    path = tmp_path / "x.json"
    path.write_bytes(content)
    done = run("validate", path)
    assert done.returncode == 2
    assert words in done.stdout


def test_validate_refuses_a_giant_without_reading_it(tmp_path: Path) -> None:
    """A 100 MB file is no spec."""
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    done = run("validate", path)
    assert done.returncode == 2
    assert "at most 8388608 bytes" in done.stdout


def test_list_and_show_tell_what_a_learner_may_know() -> None:
    """Never the reference."""
    assert SEED_SLUG in run("list").stdout
    assert SEED_SLUG in [each["slug"] for each in json.loads(run("list", "--json").stdout)]
    shown = run("show", SEED_SLUG).stdout
    assert "5 s of CPU time a case, 512 MiB" in shown
    assert "def balanced_accuracy_binary(" in shown
    assert "0.5 * (tpr + tnr)" not in shown


def test_show_speaks_three_languages_and_gives_hints_one_by_one() -> None:
    """As many as asked for; another language is refused with those there are."""
    assert "hạng" in run("show", "average-ranks", "--language", "vi").stdout
    assert "秩" in run("show", "average-ranks", "--language", "zh").stdout
    assert "hint" not in run("show", "average-ranks").stdout.splitlines()[-1]
    shown = run("show", "average-ranks", "--hints", "1").stdout
    assert "hint 1 of " in shown
    assert "hint 2" not in shown
    refused = run("show", "average-ranks", "--language", "fr")
    assert refused.returncode == 2
    assert "there are en, zh, vi" in refused.stderr


def test_demo_judges_every_example() -> None:
    """Right, wrong in value and type, slow, crashing, forbidden, reading a file."""
    done = run("demo")
    assert done.returncode == 0, done.stderr
    for name, verdict in {
        "1_right": "accepted", "2_wrong_value": "wrong_answer", "3_wrong_type": "wrong_answer",
        "4_too_slow": "time_limit_exceeded", "5_crashing": "runtime_error",
        "6_forbidden_import": "forbidden", "7_reading_a_file": "security_violation",
    }.items():  # fmt: skip
        assert f"{name}.py: {verdict} " in done.stdout


def test_ctrl_c_ends_within_a_second_and_exits_130() -> None:
    """Neither a traceback nor a verdict's exit code."""
    command = [sys.executable, "-m", "grader", "grade", SEED_SLUG, "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        process.stdin.write("import time\ntime.sleep(60)\n")
        process.stdin.close()
        time.sleep(5.0)  # the zygote's start and some of the sleep
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=10)
        assert time.monotonic() - began < 1.5
        assert process.stderr is not None
        said = process.stderr.read()
    assert process.returncode == 130
    assert said == "grader: interrupted\n"


def test_help_imports_nothing_heavy() -> None:
    """It answers in a blink."""
    code = (
        "import sys\nfrom grader.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'numpy', 'rich', 'jsonschema', 'sqlalchemy'} & set(sys.modules)\n"
        "print(heavy)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("set()")
    assert "grade" in done.stdout


def test_every_command_is_documented() -> None:
    """A command nobody can find is not there."""
    from grader.cli import main

    text = (ROOT / "README.md").read_text("utf-8") + "".join(
        path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")
    )
    for name in main.commands:
        assert f"grader {name}" in text


def test_a_copy_of_the_package_with_its_bundle_works_as_an_installed_wheel(
    tmp_path: Path,
) -> None:
    """In a wheel the bundle lies inside the package."""
    shutil.copytree(ROOT / "grader", tmp_path / "grader")
    for name in ("problems", "schemas", "examples"):
        shutil.copytree(ROOT / name, tmp_path / "grader" / "bundle" / name)
    done = subprocess.run(
        [sys.executable, "-m", "grader", "list"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert SEED_SLUG in done.stdout
