"""What the site is started with."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from sqlalchemy import URL

from grader.sandbox.keeper import Isolation
from grader.site.public import Public

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
Engine = Literal["local", "ray"]


class NotLocal(ValueError):
    """The address is not the machine's own; a site without log-in must not be seen outside."""


@dataclass(frozen=True)
class Settings:
    """Settings of the site.

    Attributes:
        data: folder of the database, where no other is named.
        jobs: submissions judged at a time.
        database_url: of SQLite or PostgreSQL; the data folder's own if None.
        problems: folder of the specs; the bundle if None.
        public: None for a site of one learner without log-in.
        metrics_token: opens `/metrics` to others than this machine.
        engine: what judges; "ray" spreads the work over the nodes of a cluster.
        ray_address: of a cluster; None for one on this machine.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    jobs: int = 2
    isolation: Isolation = "full"
    database_url: str | None = field(default=None, repr=False)
    problems: Path | None = None
    public: Public | None = None
    metrics_token: str | None = field(default=None, repr=False)
    engine: Engine = "local"
    ray_address: str | None = None

    @property
    def database(self) -> str:
        """Address of the database."""
        return self.database_url or database_in(self.data)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names under which the site may be asked for."""
        return (self.public.host,) if self.public else (*LOCAL_NAMES, self.host)


def database_in(data: Path) -> str:
    """Return the address of the database in a data folder."""
    return URL.create("sqlite", database=str(data / "site.sqlite3")).render_as_string()


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
    raise NotLocal(
        f"{host} can be reached by others, and without --public the site has no log-in:"
        " use 127.0.0.1, or see docs/deploy.md"
    )
