"""`grader check` as an author and a script meet it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sound_problem import ACCEPTED, WRONG, sound_spec

from grader import Grader
from grader.authoring.findings import Inspection
from grader.authoring.folders import unpack
from grader.cli import main
from grader.spec import list_problems

Check = Callable[..., Result]


@pytest.fixture
def check(grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Run `grader check` with the session's grader and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("grader.cli.authoring.make_grader", lambda *_: nullcontext(grader))

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, ["check", *map(str, arguments)])

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sound problem as people edit it."""
    return write(tmp_path / "mean-square")


def write(folder: Path) -> Path:
    """Write the sound problem and its solutions."""
    unpack(sound_spec(), folder)
    for kind, sources in (("accepted", ACCEPTED), ("wrong", WRONG)):
        for name, source in sources.items():
            (folder / kind / name).write_text(source)
    return folder


def spoil(folder: Path) -> None:
    """Make two findings, of which one is an error."""
    (folder / "wrong" / "crash.py").unlink()
    outline = json.loads((folder / "problem.json").read_text())
    for case in outline["test_cases"]:
        case["hidden"] = False
    (folder / "problem.json").write_text(json.dumps(outline))


def test_a_sound_folder_exits_zero(check: Check, folder: Path) -> None:
    """A row of numbers, and nothing to read."""
    done = check(folder)
    assert done.exit_code == 0, done.output
    _, row, _, total = done.output.splitlines()
    assert " ".join(row.split()) == "mean-square 10 4 2 5 33 33 0 100.0% passes"
    assert total == "1 problem checked, 0 failing, 33 of 33 mutants killed (100.0%)"


def test_an_error_exits_one_and_is_told(check: Check, folder: Path) -> None:
    """Level, check, place and what to do."""
    spoil(folder)
    done = check(folder)
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert " ".join(lines[1].split()) == "mean-square 10 4 2 4 33 33 0 100.0% FAILS"
    assert lines[3] == "mean-square"
    assert lines[4:6] == [
        "  warning  cases        test_cases: 6 shown cases, 2 or 3 are usual",
        "  error    wrong        wrong/: 4 wrong solutions, 5 wanted at least",
    ]
    assert lines[-1].endswith("mutants killed (100.0%): mean-square")
    assert "1 problem checked, 1 failing" in lines[-1]


def test_a_warning_exits_zero(check: Check, folder: Path) -> None:
    """And is counted in the row."""
    spoil(folder)
    (folder / "wrong" / "crash.py").write_text(WRONG["crash.py"])
    done = check(folder)
    assert done.exit_code == 0
    assert "passes, 1 to look at" in done.output


def test_the_findings_as_json_fit(check: Check, folder: Path) -> None:
    """For machines: what the gate found out, and nothing beside it."""
    spoil(folder)
    done = check(folder, "--json")
    assert done.exit_code == 1
    (raw,) = json.loads(done.stdout)
    assert raw["slug"] == "mean-square"
    assert (raw["declared"], raw["drawn"], raw["accepted"], raw["wrong"]) == (6, 4, 2, 4)
    assert (raw["mutants"], raw["killed"], raw["equivalent"]) == (33, 33, 0)
    assert (raw["score"], raw["passes"], raw["cached"]) == (1.0, False, False)
    assert raw["findings"] == [
        {
            "check": "cases",
            "level": "warning",
            "where": "test_cases",
            "message": "6 shown cases, 2 or 3 are usual",
        },
        {
            "check": "wrong",
            "level": "error",
            "where": "wrong/",
            "message": "4 wrong solutions, 5 wanted at least",
        },
    ]
    assert Inspection.from_dict(raw).to_dict() == raw


def test_a_faulty_spec_exits_one_with_file_and_line(check: Check, folder: Path) -> None:
    """A finding like any other, so that the other problems are checked too."""
    (folder / "reference.py").write_text("def f(:\n")
    done = check(folder)
    assert done.exit_code == 1
    assert f"{folder}/reference.py:1: $.reference_code" in done.output.replace("\n", "")


def test_an_unchanged_problem_is_not_checked_twice(
    check: Check, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless one asks for it, or something changed."""
    asked = []

    def count(_: Grader, piece: object, *, suggest: bool) -> Inspection:
        asked.append(suggest)
        return Inspection("mean-square", seconds=0.1)

    monkeypatch.setattr("grader.authoring.gate.inspect", count)
    assert "(unchanged)" not in check(folder).output
    assert "(unchanged)" in check(folder).output
    assert asked == [False]
    assert "(unchanged)" not in check(folder, "--no-cache").output
    assert "(unchanged)" not in check(folder, "--suggest").output
    assert asked == [False, False, True]
    (folder / "wrong" / "crash.py").unlink()
    assert "(unchanged)" not in check(folder).output


def test_several_targets_are_told_in_their_order(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders and slugs, in one table; one that fails fails them all."""

    def judged(_: Grader, piece: object, *, suggest: bool) -> Inspection:
        made = Inspection(piece.slug, mutants=10, killed=9)  # type: ignore[attr-defined]
        if piece.slug == "mean-square":  # type: ignore[attr-defined]
            made.error("form", "here", "bad")  # type: ignore[arg-type]
        return made

    monkeypatch.setattr("grader.authoring.gate.inspect", judged)
    slug = list_problems()[0].stem
    done = check("--no-cache", slug, write(tmp_path / "work"))
    assert done.exit_code == 1
    rows = [line.split()[0] for line in done.output.splitlines()[1:3]]
    assert rows == [slug, "mean-square"]
    assert done.output.endswith(
        "2 problems checked, 1 failing, 18 of 20 mutants killed (90.0%): mean-square\n"
    )


def test_all_checks_the_bundle(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each problem of it once."""
    seen = []

    def note(_: Grader, piece: object, *, suggest: bool) -> Inspection:
        seen.append(piece.slug)  # type: ignore[attr-defined]
        return Inspection(seen[-1])

    monkeypatch.setattr("grader.authoring.gate.inspect", note)
    assert check("--all", "--no-cache").exit_code == 0
    assert seen == [path.stem for path in list_problems()]


def test_suggestions_are_printed_as_cases(check: Check, folder: Path) -> None:
    """To be copied into the outline."""
    outline = json.loads((folder / "problem.json").read_text())
    del outline["generated_cases"]
    outline["test_cases"] = [{"name": "one", "raw_inputs": {"x": "[0.0]"}}]
    (folder / "problem.json").write_text(json.dumps(outline))
    (folder / "generate.py").unlink()
    (folder / "reference.py").write_text("def f(x):\n    return -sum(x)\n")
    (folder / "description.md").write_text("A sum.\n")
    done = check("--suggest", folder)
    assert done.exit_code == 1
    _, _, printed = done.output.partition("  kills `return -sum(x)` → `return +sum(x)`\n")
    case, _ = json.JSONDecoder().raw_decode(printed)
    assert case["name"] == "suggested 0"
    assert list(case["raw_inputs"]) == ["x"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name what to check: slugs, files, folders, or --all"),
        (("--all", "average-ranks"), "name what to check"),
        (("balanced-acuracy-macro-recall",), "did you mean balanced-accuracy-macro-recall"),
        (("nothing-like-it",), "`grader list` shows all"),
        (("no/such/file.json",), "no file 'no/such/file.json'"),
        (("--jobs", "0", "average-ranks"), "0 is not in the range"),
    ],
)
def test_wrong_usage_exits_two_with_a_sentence(
    arguments: tuple[str, ...], words: str, check: Check
) -> None:
    """A person can act on it; nothing was run."""
    done = check(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_folder_without_a_problem_exits_two(check: Check, tmp_path: Path) -> None:
    """It is neither a slug nor a file."""
    (tmp_path / "empty").mkdir()
    done = check(tmp_path / "empty")
    assert done.exit_code == 2
    assert f"no file '{tmp_path}/empty'" in done.stderr


@pytest.mark.slow
def test_the_command_starts_its_own_grader(folder: Path, tmp_path: Path) -> None:
    """The door itself, and the cache beyond one process."""
    command = [sys.executable, "-m", "grader", "check", str(folder)]
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for verdict in ("passes", "passes (unchanged)"):
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        row = done.stdout.decode().splitlines()[1]
        assert row.startswith("mean-square ")
        assert row.rstrip().endswith(f"  {verdict}")
