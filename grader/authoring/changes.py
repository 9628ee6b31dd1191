"""Which problems of a checkout differ from what git has at another commit."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

# File names are bytes, of any kind.
_AS_TEXT: dict[str, Any] = {
    "capture_output": True,
    "encoding": "utf-8",
    "errors": "surrogateescape",
}


class NoSuchCommit(Exception):
    """Git cannot compare; the message is its own."""


def changed_problems(since: str, bundle: Path) -> list[Path]:
    """Return the files of problems that changed, or whose solutions did, in or since a commit.

    Args:
        since: what git takes for a commit: a branch, a tag, a hash.
        bundle: the folder `problems/` of a checkout, with `reference/` beside it.

    Raises:
        NoSuchCommit: there is no such commit, no repository, or no git.
    """
    root = bundle.resolve().parent
    command = ["git", "-C", str(root), "diff", "--name-only", "-z", "--relative", since, "--", "."]
    try:
        done = subprocess.run(command, **_AS_TEXT, check=False)
    except FileNotFoundError:
        raise NoSuchCommit("git is not installed") from None
    if done.returncode != 0:
        raise NoSuchCommit(done.stderr.strip() or f"git cannot compare with {since!r}")
    others = ["git", "-C", str(root), "ls-files", "-z", "--others", "--exclude-standard", "."]
    new = subprocess.run(others, **_AS_TEXT, check=True)
    slugs = {
        slug
        for name in (done.stdout + new.stdout).split("\0")
        if (slug := _slug_of(Path(name), bundle.name)) is not None
    }
    return [file for file in sorted(bundle.glob("*.json")) if file.stem in slugs]


def _slug_of(path: Path, bundle: str) -> str | None:
    """The problem that a changed file belongs to."""
    match path.parts:
        case (folder, name) if folder == bundle and name.endswith(".json"):
            return path.stem
        case ("reference", name, *_):
            return name.replace("_", "-")
    return None
