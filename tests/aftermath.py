"""What must be true after any submission: nothing left, nothing out, nothing leaked."""

from __future__ import annotations

import json
import os
import site
import socket
import time
from pathlib import Path
from typing import Any

from conftest import CANARY

from grader import Grader, Report

PORT = 47391
# Case records, summaries and captured text, each bounded; seven cases.
MAX_REPORT_CHARS = 200_000


class Listeners:
    """Sockets on which an attack would be heard."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
            (socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)),
            (socket.AF_INET6, socket.SOCK_DGRAM, ("::1", PORT)),
            (socket.AF_UNIX, socket.SOCK_STREAM, "\0attack_marker_socket"),
        ):
            self._listen(family, kind, address)

    def _listen(self, family: int, kind: int, address: Any) -> None:
        listener = socket.socket(family, kind)
        listener.setblocking(False)
        if family != socket.AF_UNIX:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listener.bind(address)
        except OSError:  # another test process listens there, or there is no IPv6
            listener.close()
            return
        if kind == socket.SOCK_STREAM:
            listener.listen()
        self._sockets.append(listener)

    def heard(self) -> bool:
        """Whether anything has arrived."""
        for listener in self._sockets:
            try:
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()
                else:
                    listener.recv(1)
            except BlockingIOError:
                continue
            return True
        return False

    def close(self) -> None:
        """Stop listening."""
        for listener in self._sockets:
            listener.close()


def session_pids(grader: Grader) -> set[int]:
    """The processes of the zygote's session."""
    zygote = grader._keeper._zygote
    assert zygote is not None
    assert zygote._process is not None
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == zygote._process.pid and fields[0] not in "ZX":
                found.add(int(entry.name))
    return found


def expected_processes(grader: Grader) -> int:
    """The zygote, the waiting spares and the idle referees."""
    idle = sum(map(len, grader._court.referees._idle.values()))
    return 1 + len(grader._court.spares._waiting) + idle


def processes_left(grader: Grader, patience_s: float = 3.0) -> int:
    """How many processes there are beyond the grader's own, once the killed ones are gone."""
    deadline = time.monotonic() + patience_s
    while True:
        surplus = len(session_pids(grader)) - expected_processes(grader)
        if surplus <= 0 or time.monotonic() > deadline:
            return surplus
        time.sleep(0.01)


def markers() -> list[Path]:
    """Files that an attack managed to leave."""
    found: list[Path] = []
    folders = [
        Path.cwd(),
        Path("/tmp"),
        Path("/dev/shm"),
        Path.home(),
        *map(Path, site.getsitepackages()),
    ]
    for folder in folders:
        found += folder.glob("attack_marker*")
    return found


def deep_markers() -> list[Path]:
    """The same at any depth; slow, so once a test run."""
    found = []
    for top in (Path.cwd(), Path("/tmp"), Path("/dev/shm"), Path.home()):
        for folder, _, names in os.walk(top):
            found += [Path(folder, n) for n in names if n.startswith("attack_marker")]
    return found


def report_is_whole(report: Report) -> dict[str, Any]:
    """Check what every report must be; return it parsed."""
    text = json.dumps(report.to_dict(), ensure_ascii=True, allow_nan=False)
    assert len(text) < MAX_REPORT_CHARS
    assert CANARY not in text
    parsed: dict[str, Any] = json.loads(text)
    assert parsed["total"] == len(parsed["cases"]) == 8
    assert len({case["case_name"] for case in parsed["cases"]}) == 8
    for shown in _texts(parsed):
        assert not any((c < " " and c not in "\n\t") or c == "\x7f" for c in shown), repr(shown)
    return parsed


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return []
