"""A problem as a folder of files: what is unpacked packs to the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import seed_spec
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.authoring.folders import pack, unpack
from grader.cli import main
from grader.errors import SpecError
from grader.spec import find_problem, list_problems, load_problem, to_canonical_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize("path", list_problems(), ids=lambda path: path.stem)
def test_every_problem_of_the_bundle_comes_back(path: Path, tmp_path: Path) -> None:
    """The folder holds all of it."""
    text = path.read_text("utf-8")
    unpack(json.loads(text), tmp_path)
    assert pack(tmp_path).text == text


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS.filter(bool), TEXTS)
def test_any_text_comes_back(
    tmp_path_factory: pytest.TempPathFactory, editorial: str, statement: str, vi: str
) -> None:
    """To the last newline, carriage return and NUL."""
    folder = tmp_path_factory.mktemp("problem")
    raw: dict[str, Any] = seed_spec()
    raw |= {"editorial_md": editorial, "description_md": statement}
    raw["translations"] = {"vi": {"title": "T", "editorial_md": vi}, "fr": {}}
    unpack(raw, folder)
    assert pack(folder).text == to_canonical_json(raw)


def test_faults_are_told_by_file_and_line(tmp_path: Path) -> None:
    """A line of the joined JSON would mean nothing to the author."""
    unpack(seed_spec(), tmp_path)
    (tmp_path / "reference.py").write_text("def f(:\n")
    outline = tmp_path / "problem.json"
    outline.write_text(outline.read_text().replace('"Easy"', '"Simple"'))
    with pytest.raises(SpecError) as error:
        pack(tmp_path)
    lines = str(error.value).splitlines()
    assert any(line.startswith(f"{tmp_path}/reference.py:1:0: $.reference_code:") for line in lines)
    assert any(line.startswith(f"{outline}:4:17: $.difficulty:") for line in lines)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"slug": 1,}'])
def test_an_outline_that_is_no_object_is_told(text: str, tmp_path: Path) -> None:
    """With its place, like any spec."""
    (tmp_path / "problem.json").write_text(text)
    with pytest.raises(SpecError, match=r"problem\.json:"):
        pack(tmp_path)


def test_a_text_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """Which of the two would be meant?"""
    unpack(seed_spec(), tmp_path)
    outline = tmp_path / "problem.json"
    raw = json.loads(outline.read_text())
    outline.write_text(json.dumps({**raw, "starter_code": "pass"}))
    with pytest.raises(SpecError, match=r"stands here and in starter.py"):
        pack(tmp_path)


def test_pack_writes_problem_and_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command from the folder to the bundle; what left the folder leaves the bundle."""
    monkeypatch.chdir(tmp_path)
    for name in ("problems", "reference"):
        (tmp_path / name).mkdir()
    slug = seed_spec()["slug"]
    run = CliRunner().invoke
    assert run(main, ["unpack", slug, "work"]).exit_code == 0
    assert run(main, ["unpack", slug, "work"]).exit_code == 2  # nothing is overwritten
    (tmp_path / "work" / "wrong" / "new.py").write_text("x = 1\n")
    done = run(main, ["pack", "work"])
    assert done.exit_code == 0, done.output
    packed = tmp_path / "problems" / f"{slug}.json"
    assert packed.read_text("utf-8") == find_problem(slug).read_text("utf-8")
    beside = tmp_path / "reference" / slug.replace("-", "_")
    assert (beside / "solution.py").read_text() == load_problem(slug).reference_code
    assert (beside / "wrong" / "new.py").is_file()
    (tmp_path / "work" / "wrong" / "new.py").unlink()
    assert (
        f"removed {Path('reference')}" not in run(main, ["pack", "work"]).output.split("removed")[0]
    )
    assert not (beside / "wrong" / "new.py").exists()


def test_pack_of_a_folder_without_a_problem_says_what_makes_one(tmp_path: Path) -> None:
    """An error a person can act on."""
    done = CliRunner().invoke(main, ["pack", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds no problem.json" in done.output
