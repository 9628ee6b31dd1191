"""The commands of those who write problems: new, preview, fmt, case."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.authoring.folders import pack
from grader.authoring.gate import inspect
from grader.authoring.template import marks_left
from grader.authoring.workshop import open_workpiece
from grader.cli import main
from grader.engine import Grader
from grader.spec import list_problems


def run(*arguments: object) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_new_problem_is_sound_and_tells_what_is_missing(tmp_path: Path, grader: Grader) -> None:
    """An author begins with something that works."""
    folder = tmp_path / "work"
    done = run("new", "two-words", folder)
    assert done.exit_code == 0, done.output
    assert pack(folder).slug == "two-words"
    assert marks_left(folder) == ["description.md:1", "editorial.md:1", "problem.json:15",
                                  "starter.py:2"]  # fmt: skip
    found = inspect(grader, open_workpiece(folder))
    assert {(f.level, f.check, f.where) for f in found.findings} == {
        ("error", "accepted", "accepted/"),
        ("error", "wrong", "wrong/"),
        ("warning", "form", "description_md"),
        ("warning", "form", "editorial_md"),
        ("warning", "form", "hints[0]"),
        ("warning", "mutants", "reference_code"),
    }


def test_new_overwrites_nothing_and_wants_a_slug(tmp_path: Path) -> None:
    """Exit code 2, and a sentence."""
    assert run("new", "x", tmp_path).exit_code == 0
    again = run("new", "x", tmp_path)
    assert again.exit_code == 2
    assert "it is not overwritten" in again.output
    assert "is no slug" in run("new", "No Slug", tmp_path / "b").output


@pytest.mark.parametrize("path", list_problems(), ids=lambda path: path.stem)
def test_every_problem_makes_one_page_that_loads_nothing(path: Path, tmp_path: Path) -> None:
    """Formulas, fonts and styles are inside; nothing runs."""
    page = tmp_path / "page.html"
    assert run("preview", path.stem, "--html", page).exit_code == 0
    text = page.read_text("utf-8")
    assert text.count("<article") == 3
    assert "<math" in text
    assert not re.search(r"<script|<link|src=|url\(http|http-equiv=.refresh", text)
    assert "$$" not in text


def test_preview_in_the_terminal_shows_the_statement(tmp_path: Path) -> None:
    """Of a folder too, before it is packed."""
    run("new", "x", tmp_path)
    shown = run("preview", tmp_path).output
    assert "def solve(x: list[float]) -> float:" in shown
    assert "2 of them shown" in shown


def test_fmt_writes_canonical_json_and_check_tells(tmp_path: Path) -> None:
    """What is canonical stays untouched; what is no JSON too."""
    source = list_problems()[0].read_text("utf-8")
    good, bad, broken = (tmp_path / f"{name}.json" for name in ("good", "bad", "broken"))
    good.write_text(source, "utf-8")
    bad.write_text(json.dumps(dict(reversed(json.loads(source).items()))), "utf-8")
    broken.write_text("{", "utf-8")
    told = run("fmt", good, bad, "--check")
    assert (told.exit_code, told.output) == (1, f"not canonical: {bad}\n")
    assert run("fmt", good, bad).exit_code == 0
    assert bad.read_text("utf-8") == good.read_text("utf-8") == source
    assert run("fmt", broken).exit_code == 2
    assert broken.read_text("utf-8") == "{"


def test_case_prints_inputs_that_run(tmp_path: Path) -> None:
    """They can be pasted."""
    done = run("case", "average-ranks", 1)
    assert done.exit_code == 0
    names: dict[str, object] = {}
    exec(done.output, names)
    assert len(names["x"]) > 2  # type: ignore[arg-type]
    small = run("case", "average-ranks", 1, "--size", 2).output
    exec(small, names)
    assert len(names["x"]) == 2  # type: ignore[arg-type]
    assert small.startswith("# average-ranks, generated case 1, seed 1, size 2\n")


def test_case_of_no_such_index_says_which_there_are() -> None:
    """Exit code 2."""
    done = run("case", "average-ranks", 99)
    assert done.exit_code == 2
    assert "no generated case 99 in average-ranks: 0 to 4 expected" in done.output
