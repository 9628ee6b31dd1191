"""Submissions as people hand them in: folders, archives, lines, the odd and hostile ones too."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from grader.batch.entries import (
    BadPattern,
    Entry,
    Layout,
    UnreadableInput,
    count_entries,
    read_entries,
)
from grader.batch.records import Record
from grader.limits import MAX_SOURCE_BYTES

LINES = [
    {"id": "a", "slug": "average-ranks", "source": "x = 1\n", "who": "Ann"},
    {"id": 2, "slug": "average-ranks", "source": "y = '\ud800'\n"},
]
TEXT = "".join(json.dumps(line) + "\n" for line in LINES).encode()


def read(source: Path | str, pattern: str = "{who}/{slug}.py") -> list[Entry]:
    """All submissions of an input."""
    return list(read_entries(str(source), Layout(pattern)))


def faults(entries: list[Entry]) -> dict[str, str]:
    """Id and message of what could not be read."""
    return {entry.id: entry.fault.message for entry in entries if entry.fault is not None}


# --- folders --------------------------------------------------------------------------------


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    """A run that goes on must find the same positions."""
    for name in ("b/two.py", "a/one.py", "a/note.txt", "a/__pycache__/one.pyc", "top.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    found = read(tmp_path)
    assert [(e.position, e.id, e.slug, e.who) for e in found] == [
        (0, "a/one.py", "one", "a"),
        (1, "b/two.py", "two", "b"),
    ]
    assert found[0].source == b"a/one.py"
    assert found[0].path == str(tmp_path / "a" / "one.py")
    assert count_entries(str(tmp_path), Layout()) == 2


@pytest.mark.parametrize(
    ("pattern", "name", "wanted"),
    [
        ("{who}/{slug}.py", "x/ann/auc.py", ("auc", "ann")),
        ("{slug}/{who}_*.py", "auc/ann_final.py", ("auc", "ann")),
        ("{slug}.py", "auc.py", ("auc", None)),
        ("hw-*/{slug}/{who}.py", "hw-3/auc/ann b.py", ("auc", "ann b")),
        ("{who}/{slug}.py", "ann/auc.txt", None),
        ("{slug}/main.py", "auc/other.py", None),
        ("a.b/{slug}.py", "axb/auc.py", None),
    ],
)
def test_a_pattern_says_where_slug_and_who_are(
    pattern: str, name: str, wanted: tuple[str, str | None] | None
) -> None:
    """Courses have lay-outs of their own."""
    assert Layout(pattern).read(name) == wanted


@pytest.mark.parametrize("pattern", ["", "{who}.py", "{slug}/{slug}.py", "{slug}/{name}.py"])
def test_a_pattern_must_name_the_problem_once(pattern: str) -> None:
    """Nothing else could be meant."""
    with pytest.raises(BadPattern, match="once expected"):
        Layout(pattern)


def test_links_devices_and_folders_of_odd_names_are_told(tmp_path: Path) -> None:
    """A student's link must not be read as the grader."""
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe who"))
    odd.mkdir()
    (odd / "fine.py").write_text("x")
    (odd / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(odd / "pipe.py")
    (odd / "large.py").write_bytes(b"x" * (MAX_SOURCE_BYTES + 10))
    found = {entry.slug: entry for entry in read(tmp_path)}
    assert found["fine"].source == b"x"
    assert found["large"].source is not None
    assert len(found["large"].source) == MAX_SOURCE_BYTES + 1
    assert {slug: e.fault.message for slug, e in found.items() if e.fault} == {
        "link": "it is a link",
        "pipe": "it is no regular file",
    }


# --- JSON Lines -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["plain", "gzip", "zstd"])
def test_lines_are_read_compressed_or_not(kind: str, tmp_path: Path) -> None:
    """By their content, not their name."""
    pack = {"plain": bytes, "gzip": gzip.compress, "zstd": zstandard.ZstdCompressor().compress}
    path = tmp_path / "in.dat"
    path.write_bytes(pack[kind](TEXT))
    first, second = read(path)
    assert (first.id, first.slug, first.who, first.source) == (
        "a",
        "average-ranks",
        "Ann",
        b"x = 1\n",
    )
    assert (second.id, second.who, second.source) == ("2", None, b"y = '\xed\xa0\x80'\n")


def test_lines_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a pipe."""
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(gzip.compress(TEXT))))  # type: ignore[type-var, arg-type]
    monkeypatch.setattr("sys.stdin", stdin)
    assert [entry.id for entry in read("-")] == ["a", "2"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"not json\n", "no JSON"),
        (b"[1]\n", "an object expected"),
        (b'{"slug": "s", "source": ""}\n', '"id": text or an integer expected'),
        (b'{"id": true, "slug": "s", "source": ""}\n', '"id"'),
        (b'{"id": "i", "slug": 1, "source": ""}\n', '"slug": text expected'),
        (b'{"id": "i", "slug": "s"}\n', '"source": text expected'),
        (b'{"id": "i", "slug": "s", "source": "", "who": 3}\n', '"who": text expected'),
        (b'{"id": "' + b"x" * (8 * MAX_SOURCE_BYTES) + b'"}\n', "over"),
        (b"[" * 100_000 + b"\n", "no JSON"),
        (b"\xff\xfe\n", "no JSON"),
    ],
    ids=range(10),
)  # fmt: skip
def test_a_line_that_is_no_submission_is_a_fault_of_that_line(
    line: bytes, said: str, tmp_path: Path
) -> None:
    """The others go on."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(TEXT + b"\n" + line + TEXT)
    found = read(path)
    assert [entry.position for entry in found] == [0, 1, 2, 3, 4]
    (fault,) = [entry.fault for entry in found if entry.fault is not None]
    assert fault.kind == "malformed"
    assert fault.message.startswith("line 4: ")
    assert said in fault.message


def test_an_input_cut_in_the_middle_of_a_line_says_so(tmp_path: Path) -> None:
    """A copy that broke off is not a learner's mistake."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(TEXT[:-9])
    found = read(path)
    assert found[0].fault is None
    assert faults(found)["line 2"].endswith("the input ends in the middle of it")


def test_a_compressed_input_cut_short_stops_with_its_place(tmp_path: Path) -> None:
    """What was read is good."""
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(TEXT * 1000)[:-20])
    with pytest.raises(UnreadableInput, match="after line"):
        read(path)


def test_a_zstd_input_cut_short_stops_too(tmp_path: Path) -> None:
    """Its library takes the cut for the end."""
    path = tmp_path / "in.jsonl.zst"
    packed = zstandard.ZstdCompressor().compress(TEXT * 1000)
    path.write_bytes(packed + packed)  # two frames are one input
    assert len(read(path)) == 4000
    path.write_bytes((packed + packed)[:-9])
    with pytest.raises(UnreadableInput, match="ends before its end"):
        read(path)
    path.write_bytes(packed[:4] + b"damage" + packed[10:])
    with pytest.raises(UnreadableInput, match="after line"):
        read(path)


# --- archives -------------------------------------------------------------------------------


def zipped(path: Path, entries: list[tuple[Any, bytes]]) -> Path:
    """Write a zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def test_a_zip_is_read_without_unpacking_it(tmp_path: Path) -> None:
    """Names, links and sizes are checked."""
    link = zipfile.ZipInfo("eve/link.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = zipped(
        tmp_path / "hand.zip",
        [
            ("hw1/ann/auc.py", b"x"),
            ("../../etc/who/evil.py", b"x"),
            ("/abs/who/evil.py", b"x"),
            ("c:\\who\\evil.py", b"x"),
            (link, b"/etc/passwd"),
            ("bob/bomb.py", b"\0" * 50_000_000),
            ("bob/readme.txt", b"x"),
        ],
    )
    found = read(path)
    good = {entry.id: entry for entry in found if entry.fault is None}
    assert good["hw1/ann/auc.py"].source == b"x"
    assert good["bob/bomb.py"].source == b"\0" * (MAX_SOURCE_BYTES + 1)
    assert set(good) == {"hw1/ann/auc.py", "bob/bomb.py"}
    told = faults(found)
    assert told["eve/link.py"] == "it is a link"
    assert len(told) == 4
    assert sum("leads out of the archive" in message for message in told.values()) == 3


@pytest.mark.parametrize("kind", ["tar", "tar.gz", "tgz", "tar.xz"])
def test_a_tar_is_read_without_unpacking_it(kind: str, tmp_path: Path) -> None:
    """Of any compression that Python knows."""
    path = tmp_path / f"hand.{kind}"
    mode = {"tar": "w", "tar.gz": "w:gz", "tgz": "w:gz", "tar.xz": "w:xz"}[kind]
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, type_ in (
            ("./ann/auc.py", tarfile.REGTYPE),
            ("eve/link.py", tarfile.SYMTYPE),
            ("eve/dev.py", tarfile.CHRTYPE),
            ("../up/evil.py", tarfile.REGTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type = type_
            info.linkname = "/etc/passwd"
            info.size = 1 if type_ == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(b"x"))
    found = read(path)
    assert [(e.slug, e.who, e.source) for e in found if e.fault is None] == [("auc", "ann", b"x")]
    assert sorted(faults(found)) == ["../up/evil.py", "eve/dev.py", "eve/link.py"]


def test_ten_thousand_odd_names_stay_apart(tmp_path: Path) -> None:
    """Letters of every script, quotes, line ends and marks that turn the reading round."""
    odd = "aé字ق'\"\n\t,;|&<>\u202e\u200d\x1b🎓 "
    names = [f"{odd[n % len(odd)]}{odd[n // 7 % len(odd)]} {n}" for n in range(10_000)]
    path = zipped(tmp_path / "hand.zip", [(f"{name}/auc.py", b"x") for name in names])
    found = read(path)
    assert [entry.who for entry in found] == names
    records = [Record(e.position, e.id, e.slug, who=e.who) for e in found]
    assert [Record.from_json(record.to_json()).who for record in records] == names


@pytest.mark.parametrize("name", ["hand.zip", "hand.tar.gz"])
def test_what_is_no_archive_is_refused(name: str, tmp_path: Path) -> None:
    """By name, with the reason."""
    path = tmp_path / name
    path.write_bytes(b"PK\3\4 broken")
    with pytest.raises(UnreadableInput, match=name):
        read(path)


def test_a_damaged_entry_is_a_fault_of_that_entry(tmp_path: Path) -> None:
    """The others are read."""
    path = tmp_path / "hand.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ann/auc.py", b"first first first")
        archive.writestr("bob/auc.py", b"second")
    path.write_bytes(path.read_bytes().replace(b"first first first", b"first fXrst first"))
    found = read(path)
    assert "CRC" in faults(found)["ann/auc.py"]
    assert found[1].source == b"second"
