"""Starts Ray on this machine, or joins a cluster; in both cases with its token.

A local Ray listens on the loopback address only and keeps its files in a folder that nobody
else may enter. Ray's settings are environment variables of the process: the token stays in
them, so that a second pool of the same process can use it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import ipaddress
import logging
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grader.errors import InternalFault

# The least that Ray takes is 75 MiB; reports pass through it only if they are large.
_OBJECT_STORE_BYTES = 80 << 20
_REACH_S = 10.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Node:
    """One living node of the cluster.

    Attributes:
        cpus: that Ray may give away there.
    """

    id: str
    address: str
    cpus: int


class RayCluster:
    """The connection of this process to a Ray cluster.

    Args:
        address: of its head, `host:port` or "auto"; None starts one here.
        cpus: of the one that is started.

    A Ray that this process has joined before is used as it is, and left running.

    Raises:
        InternalFault: Ray is not installed, does not start or does not let us in.
        ValueError: the address is of a kind that is not supported.
    """

    def __init__(self, address: str | None, cpus: int) -> None:
        if importlib.util.find_spec("ray") is None:
            raise InternalFault('the cluster engine needs Ray: pip install "tensorjudge[cluster]"')
        if address is not None and address.startswith("ray://"):
            raise ValueError("ray://: not supported; run on a node of the cluster with host:port")
        if address is not None:
            _try_to_reach(address)
        _use_token(local=address is None)
        self._folder: str | None = None
        self._ours = not _ray().is_initialized()
        if not self._ours:
            return
        try:
            if address is None:
                self._start(cpus)
            else:
                _init(address=address)
        except BaseException as error:
            self.close()
            if isinstance(error, Exception):
                raise InternalFault(
                    f"Ray does not answer: {error}\n"
                    "Is the token, RAY_AUTH_TOKEN or ~/.ray/auth_token, the cluster's?"
                ) from error
            raise

    def _start(self, cpus: int) -> None:
        self._folder = tempfile.mkdtemp(prefix="grader-ray-")
        with _loopback_only():
            _init(
                address="local",
                num_cpus=cpus,
                num_gpus=0,
                include_dashboard=False,
                object_store_memory=_OBJECT_STORE_BYTES,
                _node_ip_address="127.0.0.1",
                _temp_dir=self._folder,
                # Short of memory it would kill our actor; the kernel takes the greedy worker.
                _system_config={"memory_monitor_refresh_ms": 0},
            )
        for node in self.nodes():
            if not ipaddress.ip_address(node.address).is_loopback:
                raise InternalFault(f"it listens on {node.address}, 127.0.0.1 expected")

    def nodes(self) -> list[Node]:
        """The nodes that live and have a core to give away."""
        return [
            Node(raw["NodeID"], raw["NodeManagerAddress"], int(raw["Resources"]["CPU"]))
            for raw in _ray().nodes()
            if raw["Alive"] and raw["Resources"].get("CPU", 0) >= 1
        ]

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        if self._ours:
            _ray().shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _ray() -> Any:
    import ray

    return ray


def _init(**options: Any) -> None:
    from ray._private import worker

    # Told not to print, Ray (2.60) still prints what happens to nodes: on our standard output,
    # which may be where the records go.
    worker.print_to_stdstream = _log
    _ray().init(log_to_driver=False, logging_level=logging.ERROR, **options)


def _log(data: dict[str, Any], ignore_prefix: bool) -> None:
    """Take Ray's news into the log; the pool acts upon what it sees itself."""
    for line in data["lines"]:
        _LOG.info("%s", line)


def _try_to_reach(address: str) -> None:
    """Say at once what Ray says after two minutes."""
    host, colon, port = address.rpartition(":")
    if not colon:
        return  # "auto"
    if not port.isdecimal():
        raise ValueError(f"{address}: host:port or auto expected")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _REACH_S).close()
    except (OSError, OverflowError) as error:
        raise InternalFault(f"no cluster at {address}: {error}") from None


def _use_token(*, local: bool) -> None:
    """Switch authentication on, before Ray reads its settings.

    A cluster's operator may have switched it off on purpose (RAY_AUTH_MODE=disabled); for a
    Ray of our own there is no reason to.
    """
    if local:
        os.environ["RAY_AUTH_MODE"] = "token"
        if not (os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH")):
            os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    else:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    # Imported before, Ray has read other settings.
    from ray._raylet import AuthenticationTokenLoader, Config

    if not _ray().is_initialized():
        Config.initialize("")
        AuthenticationTokenLoader.instance().reset_cache()


@contextlib.contextmanager
def _loopback_only() -> Iterator[None]:
    """Have Ray listen on the loopback address, as it does on systems without clusters.

    `_node_ip_address` alone does not: on Linux Ray takes 127.0.0.1 for "find out" and then
    listens on every address (2.60).
    """
    from ray._private import ray_constants

    before = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = before
