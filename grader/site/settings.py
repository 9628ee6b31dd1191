"""What the site is started with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from sqlalchemy import URL

from grader.sandbox.keeper import Isolation

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


class NotLocal(ValueError):
    """The address is not the machine's own; the site has no log-in and must not be seen outside."""


@dataclass(frozen=True)
class Settings:
    """Settings of the site.

    Attributes:
        data: folder of the database.
        jobs: submissions judged at a time.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    jobs: int = 2
    isolation: Isolation = "full"

    @property
    def database(self) -> str:
        """Address of the database."""
        address = URL.create("sqlite", database=str(self.data / "site.sqlite3"))
        return address.render_as_string()


def default_data_folder() -> Path:
    """The user's data folder for the site."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "tensorjudge"


def local_host(host: str) -> str:
    """Return a host if it is this machine's own.

    Raises:
        NotLocal: others could reach it.
    """
    if host == "localhost":
        return host
    try:
        if ip_address(host).is_loopback:
            return host
    except ValueError:
        pass
    raise NotLocal(f"{host} can be reached by others, and the site has no log-in: use 127.0.0.1")
