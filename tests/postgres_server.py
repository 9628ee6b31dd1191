"""A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket there."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_USER = "postgres"  # the server refuses to be root


def _programs() -> Path | None:
    """The folder of the newest installed server; Debian keeps it out of the path."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    return folders[-1] if folders else None


def why_not() -> str | None:
    """Why no server can be started; None if one can."""
    if _programs() is None:
        return "no PostgreSQL server is installed (Debian: apt-get install postgresql)"
    if os.getuid() == 0:
        try:
            pwd.getpwnam(_USER)
        except KeyError:
            return f"the tests run as root, and there is no user {_USER} to run the server"
    return None


@contextmanager
def postgres_server() -> Iterator[Path]:
    """Run a server; gives the folder of its socket. Anybody on it is the user `postgres`."""
    programs = _programs()
    assert programs is not None
    root = Path(tempfile.mkdtemp(prefix="pg-"))  # short: a socket's path has 107 bytes at most
    user = _USER if os.getuid() == 0 else None
    if user is not None:
        shutil.chown(root, user)

    def run(*arguments: str) -> None:
        subprocess.run(
            arguments, user=user, cwd=root, check=True, timeout=120, stdout=subprocess.DEVNULL
        )

    control = [str(programs / "pg_ctl"), "-D", str(root / "data"), "-w", "-l", str(root / "log")]
    try:
        run(str(programs / "initdb"), "-D", str(root / "data"), "-U", _USER, "-A", "trust", "-N")
        run(*control, "-o", f"-k {root} -c listen_addresses='' -c fsync=off", "start")
        try:
            yield root
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(root)
