"""Which problems a pull request touches."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.authoring.changes import NoSuchCommit, changed_problems


def git(folder: Path, *words: str) -> None:
    """Run git."""
    subprocess.run(
        ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Three problems and their solutions, committed."""
    root = tmp_path / "deep" / "down"
    for slug in ("a-one", "b-two", "c-three"):
        (root / "problems").mkdir(parents=True, exist_ok=True)
        (root / "problems" / f"{slug}.json").write_text("{}")
        wrong = root / "reference" / slug.replace("-", "_") / "wrong"
        wrong.mkdir(parents=True)
        (wrong / "x.py").write_text("")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return root


def names(root: Path) -> list[str]:
    """Slugs that changed since the first commit."""
    return [path.stem for path in changed_problems("HEAD", root / "problems")]


def test_nothing_changed_is_nothing_to_check(checkout: Path) -> None:
    """And no error."""
    assert names(checkout) == []


def test_a_spec_a_solution_and_a_new_file_are_changes(checkout: Path) -> None:
    """Committed or not."""
    (checkout / "problems" / "a-one.json").write_text('{"x": 1}')
    (checkout / "reference" / "c_three" / "wrong" / "new.py").write_text("")
    (checkout / "unrelated.txt").write_text("")
    assert names(checkout) == ["a-one", "c-three"]
    (checkout / "reference" / "b_two" / "wrong" / "x.py").unlink()
    assert names(checkout) == ["a-one", "b-two", "c-three"]


def test_a_problem_that_is_gone_need_not_be_checked(checkout: Path) -> None:
    """There is nothing to run."""
    (checkout / "problems" / "a-one.json").unlink()
    assert names(checkout) == []


def test_no_such_commit_is_told_in_gits_words(checkout: Path, tmp_path: Path) -> None:
    """The author knows git."""
    with pytest.raises(NoSuchCommit, match="nothing-like-it"):
        changed_problems("nothing-like-it", checkout / "problems")
