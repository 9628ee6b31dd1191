"""Runs a command as an ordinary user without capabilities, from a root that can arrange it.

The interpreter, the environment and the checkout may lie under folders that only root may
enter. In a private mount namespace such a folder is covered by an empty one that anybody may
enter, with just the needed trees bound to their old places; nothing outside sees it.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import grader

UID = 1001
_TOOLS = ("unshare", "mount", "setpriv", "sh")


def why_not() -> str | None:
    """Why this process cannot arrange it; None if it can."""
    if os.getuid() != 0:
        return "the tests run as an ordinary user already"
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} not found (Debian: util-linux)"
    trial = subprocess.run(
        ["unshare", "--mount", "true"], capture_output=True, text=True, check=False
    )
    return trial.stderr.strip() or None


def needed_trees() -> list[Path]:
    """What the interpreter reads: its installation, the environment, the checkout."""
    trees = {Path(sys.base_prefix), Path(sys.prefix), Path(grader.__file__).parents[1]}
    return sorted({tree.resolve() for tree in trees})


def _closed_folder(path: Path) -> Path | None:
    """The topmost folder above a path that an ordinary user may not enter."""
    for parent in reversed(path.parents):
        if not parent.stat().st_mode & stat.S_IXOTH:
            return parent
    return None


def run_as_user(
    arguments: list[str], *, timeout_s: float, work: Path
) -> subprocess.CompletedProcess[str]:
    """Run a Python command line as the user; `work` must be a folder the user may write to."""
    script = ["set -e"]
    closed: dict[Path, list[Path]] = {}
    for tree in needed_trees():
        folder = _closed_folder(tree)
        if folder is not None:
            closed.setdefault(folder, []).append(tree)
    for folder_number, (folder, trees) in enumerate(closed.items()):
        stage = work / f"stage{folder_number}"
        script.append(f"mkdir '{stage}' && mount -t tmpfs -o mode=755 none '{stage}'")
        for number, tree in enumerate(trees):
            script.append(f"mkdir '{stage}/{number}' && mount --bind '{tree}' '{stage}/{number}'")
        script.append(f"mount -t tmpfs -o mode=755 none '{folder}'")
        for number, tree in enumerate(trees):
            script.append(f"mkdir -p '{tree}' && mount --bind '{stage}/{number}' '{tree}'")
    drop = f"setpriv --reuid={UID} --regid={UID} --clear-groups --inh-caps=-all --bounding-set=-all"
    script.append(f'cd "{work}" && exec {drop} "$@"')
    environment = {**os.environ, "HOME": str(work), "TMPDIR": str(work)}
    environment.pop("PYTEST_DEBUG_TEMPROOT", None)  # the caller's, closed to others
    return subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(script), "sh",
         sys.executable, *arguments],
        capture_output=True, text=True, check=False, timeout=timeout_s, env=environment,
    )  # fmt: skip
