"""Reads submissions out of a zip or tar file; nothing is unpacked to the disk."""

from __future__ import annotations

import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self

from grader.batch.entries import Entry, Layout, UnreadableInput
from grader.batch.records import Fault
from grader.limits import MAX_SOURCE_BYTES

# What libraries raise for damaged data in the middle of an archive.
_DAMAGED = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, UnicodeDecodeError),
)
_BROKEN = (*_DAMAGED, OSError, RuntimeError)
_DRIVE = re.compile(r"[A-Za-z]:")


def read_archive(path: Path, layout: Layout) -> Iterator[Entry]:
    """Yield the submissions of an archive, in the order they lie in it.

    Of each entry at most one byte more than a submission may have is read, whatever size it
    declares. A name that leads out of the archive, a link or a device is a fault of that entry.

    Raises:
        UnreadableInput: it is no archive of its kind, or broken between entries.
        OSError: the file cannot be opened.
    """
    try:
        if path.name.lower().endswith(".zip"):
            yield from _zip(path, layout)
        else:
            yield from _tar(path, layout)
    except _DAMAGED as error:
        raise UnreadableInput(f"{path}: {error}") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise UnreadableInput(f"{path}: {error}") from None  # of bzip2


def _zip(path: Path, layout: Layout) -> Iterator[Entry]:
    position = 0
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            fits = None if info.is_dir() else layout.read(_plain(info.filename))
            if fits is None:
                continue
            fault = _name_fault(info.filename)
            if stat.S_ISLNK(info.external_attr >> 16):
                fault = Fault("unreadable", "it is a link")
            source = None
            if fault is None:
                try:
                    with archive.open(info) as member:
                        source = member.read(MAX_SOURCE_BYTES + 1)
                except (*_BROKEN, NotImplementedError) as error:
                    fault = Fault("unreadable", str(error) or type(error).__name__)
            yield Entry(position, info.filename, *fits, source, fault)
            position += 1


def _tar(path: Path, layout: Layout) -> Iterator[Entry]:
    position = 0
    with tarfile.open(path, "r:*", tarinfo=_Header) as archive:
        for member in archive:
            vars(archive)["members"] = []  # else every header is kept
            fits = None if member.isdir() else layout.read(_plain(member.name))
            if fits is None:
                continue
            fault = _name_fault(member.name)
            if not member.isreg():
                fault = Fault("unreadable", "it is a link or a device")
            source = None
            if fault is None:
                try:
                    source = _read(archive.extractfile(member))
                except _BROKEN as error:
                    fault = Fault("unreadable", str(error) or type(error).__name__)
            yield Entry(position, member.name, *fits, source, fault)
            position += 1


class _Header(tarfile.TarInfo):
    """A header whose damage is told; `tarfile` takes it for the end, and what follows is lost."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile_)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise tarfile.ReadError(f"damaged at byte {tarfile_.offset}: {error}") from None


def _read(member: IO[bytes] | None) -> bytes:
    if member is None:
        return b""
    with member:
        return member.read(MAX_SOURCE_BYTES + 1)


def _plain(name: str) -> str:
    return name.replace("\\", "/").removeprefix("./")


def _name_fault(name: str) -> Fault | None:
    """A fault if the name would lead out of a folder it was unpacked to."""
    plain = name.replace("\\", "/")
    if plain.startswith("/") or _DRIVE.match(plain) or ".." in plain.split("/") or "\0" in name:
        return Fault("unreadable", f"its name leads out of the archive: {name[:200]!r}")
    return None
