"""Results that are kept: found again for the same problem, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sound_problem import ACCEPTED, REFERENCE, WRONG, sound_piece

from grader.authoring import results
from grader.authoring.findings import Check, Inspection
from grader.authoring.results import KeptResults, default_folder
from grader.authoring.workshop import Solution, Workpiece

VERSIONS = {"grader": "0.1.0", "torch": "2.6.0"}


def found_out() -> Inspection:
    """An inspection with something in every field."""
    made = Inspection("mean-square", 6, 2, mutants=33, killed=32, equivalent=1, accepted=2, wrong=5)
    made.warn(Check.MUTANTS, "reference line 4", "no case sees the mutant `a` → `b`")
    made.suggestions = [{"name": "suggested 0", "raw_inputs": {"x": "[1.0]"}}]
    made.seconds = 1.25
    return made


def test_what_was_kept_is_found_by_a_later_run(tmp_path: Path) -> None:
    """All of it, and that it is not new."""
    KeptResults(tmp_path / "check", VERSIONS).keep(sound_piece(), found_out())
    found = KeptResults(tmp_path / "check", dict(VERSIONS)).find(sound_piece())
    assert found == replace(found_out(), cached=True)


def test_nothing_is_found_where_nothing_was_kept(tmp_path: Path) -> None:
    """The folder need not be there."""
    assert KeptResults(tmp_path / "nowhere", VERSIONS).find(sound_piece()) is None


def _moved() -> Workpiece:
    """The last right solution among the wrong ones, where it is the first."""
    piece = sound_piece()
    return replace(piece, accepted=piece.accepted[:-1], wrong=(piece.accepted[-1], *piece.wrong))


def _renamed() -> Workpiece:
    piece = sound_piece()
    return replace(piece, accepted=(*piece.accepted[:-1], replace(piece.accepted[-1], name="z.py")))


def _joined() -> Workpiece:
    """A source that holds name and source of the next, as they were once joined."""
    one, two = sound_piece().accepted
    both = one.source + f"{two.name}\0None\0".encode() + two.source
    return replace(sound_piece(), accepted=(Solution(one.name, both),))


@pytest.mark.parametrize(
    "make",
    [
        lambda: sound_piece(title="Another title"),
        lambda: sound_piece(rtol=2e-5),
        lambda: sound_piece(reference_code=REFERENCE + "\n"),
        lambda: sound_piece(hints=["Square first.", "Divide."]),
        lambda: sound_piece(accepted=ACCEPTED | {"loop.py": ACCEPTED["loop.py"] + "\n"}),
        lambda: sound_piece(accepted={"loop.py": ACCEPTED["loop.py"]}),
        lambda: sound_piece(wrong=WRONG | {"crash.py": WRONG["crash.py"] + "\n"}),
        lambda: sound_piece(verdicts={"crash.py": "wrong_answer"}),
        lambda: sound_piece(twin=REFERENCE),
        lambda: sound_piece(twin=""),
        lambda: replace(sound_piece(), slug="copy-of-mean-square"),
        _moved,
        _renamed,
        _joined,
    ],
    ids=[
        "title", "tolerance", "reference", "hints", "right solution changed",
        "right solution gone", "wrong solution changed", "verdict", "twin", "empty twin",
        "file name", "solution moved", "solution renamed", "two solutions in one",
    ],
)  # fmt: skip
def test_any_change_of_the_problem_is_checked_anew(
    make: Callable[[], Workpiece], tmp_path: Path
) -> None:
    """A kept result of another problem would be a lie."""
    kept = KeptResults(tmp_path, VERSIONS)
    kept.keep(sound_piece(), found_out())
    assert kept.find(make()) is None


@pytest.mark.parametrize("versions", [{}, VERSIONS | {"torch": "2.7.0"}])
def test_other_versions_are_checked_anew(versions: dict[str, str], tmp_path: Path) -> None:
    """Another torch may compute otherwise."""
    KeptResults(tmp_path, VERSIONS).keep(sound_piece(), found_out())
    assert KeptResults(tmp_path, versions).find(sound_piece()) is None


def test_a_changed_grader_checks_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its versions may be the same while someone works on it."""
    KeptResults(tmp_path, VERSIONS).keep(sound_piece(), found_out())
    package = tmp_path / "package"
    package.mkdir()
    (package / "gate.py").write_text("x = 1\n")
    monkeypatch.setattr(results, "_PACKAGE", package)
    assert KeptResults(tmp_path, VERSIONS).find(sound_piece()) is None


def test_the_digest_of_the_code_tells_names_and_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line moved from one module to the next is a change."""
    monkeypatch.setattr(results, "_PACKAGE", tmp_path)
    digests = set()
    for files in ({"a.py": "xy"}, {"a.py": "x", "b.py": "y"}, {"a.py": "", "b.py": "xy"}):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        digests.add(results.code_digest())
    assert len(digests) == 3
    (tmp_path / "notes.txt").write_text("no code")
    assert results.code_digest() in digests


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"[]", b"\xff", b'{"slug": "mean-square"}', b'{"findings": [3]}',
     b'{"slug": "a", "findings": [], "future": 1}'],
)  # fmt: skip
def test_a_broken_file_is_checked_again(content: bytes, tmp_path: Path) -> None:
    """And mended by what is kept then."""
    kept = KeptResults(tmp_path, VERSIONS)
    kept.keep(sound_piece(), found_out())
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert kept.find(sound_piece()) is None
    kept.keep(sound_piece(), found_out())
    assert kept.find(sound_piece()) is not None
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    """A read-only home must not keep anyone from checking."""
    (tmp_path / "file").write_text("in the way")
    kept = KeptResults(tmp_path / "file" / "check", VERSIONS)
    kept.keep(sound_piece(), found_out())
    assert kept.find(sound_piece()) is None


def test_a_faulty_spec_is_not_kept(tmp_path: Path) -> None:
    """There is no digest to find it by, and it is checked in a blink."""
    kept = KeptResults(tmp_path, VERSIONS)
    kept.keep(replace(sound_piece(), problem=None), found_out())
    assert list(tmp_path.iterdir()) == []


def test_results_are_kept_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the user says, else below the home folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "tensorjudge" / "check"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_folder() == tmp_path / "home" / ".cache" / "tensorjudge" / "check"
