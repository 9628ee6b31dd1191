"""Reads the submissions of a batch: from a folder, an archive, or JSON Lines, one at a time."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.batch.records import Fault
from grader.limits import MAX_SOURCE_BYTES

DEFAULT_PATTERN = "{who}/{slug}.py"
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_FIELD = re.compile(r"\{(who|slug)\}|\*")


class BadPattern(ValueError):
    """A pattern that names no problem, or the same field twice."""


@dataclass(frozen=True)
class Entry:
    """One submission as it was found.

    Attributes:
        position: 0-based place in the input.
        id: unique in an input without faults: a relative path, or what the line says.
        source: at most one byte more than a submission may have; None where there is a fault.
    """

    position: int
    id: str
    slug: str = ""
    who: str | None = None
    source: bytes | None = None
    fault: Fault | None = None
    path: str | None = None


class Layout:
    """Where in a path the problem's slug is, and who sent it.

    Args:
        pattern: such as `{who}/{slug}.py`; `*` stands for anything within a name. It is looked
            for at the end of the path.

    Raises:
        BadPattern: `{slug}` is missing, or a field stands twice.
    """

    def __init__(self, pattern: str = DEFAULT_PATTERN) -> None:
        names = re.findall(r"\{(\w*)\}", pattern)
        if names.count("slug") != 1 or names.count("who") > 1 or set(names) - {"who", "slug"}:
            raise BadPattern(f"{pattern!r}: {{slug}} once expected, {{who}} at most once, no other")
        parts, end = [], 0
        for field in _FIELD.finditer(pattern):
            parts.append(re.escape(pattern[end : field.start()]))
            parts.append(f"(?P<{field[1]}>[^/]+)" if field[1] else "[^/]*")
            end = field.end()
        self._regex = re.compile(f"(?:.*/)?{''.join(parts)}{re.escape(pattern[end:])}", re.DOTALL)

    def read(self, name: str) -> tuple[str, str | None] | None:
        """Return slug and who of a path, None if it does not fit."""
        found = self._regex.fullmatch(name)
        if found is None:
            return None
        return found["slug"], found.groupdict().get("who")


def read_entries(source: str, layout: Layout) -> Iterator[Entry]:
    """Yield the submissions of an input, in an order that does not change.

    Args:
        source: a folder, an archive, a file of JSON Lines (plain, gzip or zstd), or "-" for JSON
            Lines on standard input.
        layout: of the paths in a folder or an archive; what does not fit is no submission.

    Raises:
        OSError: the input as a whole cannot be read.
        UnreadableInput: it is no archive, or broken where no entry begins.
    """
    if source != "-" and Path(source).is_dir():
        yield from _folder(Path(source), layout)
    elif source.lower().endswith(ARCHIVES):
        from grader.batch.archives import read_archive

        yield from read_archive(Path(source), layout)
    else:
        from grader.batch.lines import read_lines

        yield from read_lines(source)


def count_entries(source: str, layout: Layout) -> int | None:
    """How many submissions there are, for those who wait; None where telling takes as long."""
    path = Path(source)
    if source != "-" and path.is_dir():
        return sum(
            layout.read(file.relative_to(path).as_posix()) is not None for file in _files(path)
        )
    if path.suffix != ".jsonl":
        return None
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def _folder(root: Path, layout: Layout) -> Iterator[Entry]:
    position = 0
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        fits = layout.read(name)
        if fits is None:
            continue
        source, fault = _content(path)
        yield Entry(position, name, *fits, source, fault, str(path))
        position += 1


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, by name; links to folders are not followed."""
    # No recursion: a folder may be deeper than Python's stack.
    todo = _children(folder)
    while todo:
        child = todo.pop()
        if child.is_dir(follow_symlinks=False):
            todo += _children(Path(child.path))
        else:
            yield Path(child.path)


def _children(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder, by name, the last first."""
    with os.scandir(folder) as found:
        return sorted(found, key=lambda child: os.fsencode(child.name), reverse=True)


def _content(path: Path) -> tuple[bytes | None, Fault | None]:
    try:
        # Not through a link: a student's archive, unpacked, may point anywhere.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None, Fault("unreadable", "it is no regular file")
            return file.read(MAX_SOURCE_BYTES + 1), None
    except OSError as error:
        reason = "it is a link" if path.is_symlink() else error.strerror
        return None, Fault("unreadable", str(reason))


class UnreadableInput(Exception):
    """The input as a whole cannot be read; the message names it."""
