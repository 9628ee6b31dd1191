"""Starts the zygote, has it fork children, and sees to it that none is left.

Theory of operation. The **keeper** lives in the host process and runs nothing foreign. It
starts one **zygote**: a fresh Python with a clean environment, its own session and
/dev/null for its streams, which loads torch and numpy once and then only forks. Each
**child** (a worker for one submission, a referee for one problem) is a fork of it, jailed
before it reads anything: no new privileges, no capabilities, Landlock (read-only: the
standard library and the installed torch and numpy), a system-call filter, limits.

Three sockets carry everything. The *control* socket takes fork requests (keeper to zygote,
one message each, so threads need no lock). Each child has a *channel*, a stream of frames
between keeper and child, and a *lifeline*, on which the zygote tells the keeper the child's
pid and pidfd and, later, how it ended. The zygote never reads a channel.

Nothing outlives its parent: the zygote ends when the control socket closes and is killed
by the kernel when the keeper's thread ends; children are killed by the kernel when the
zygote ends. A zygote that dies is replaced at the next request; what was running on it is a
fault of ours, for the judge to try again.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import grader
from grader.errors import GraderError, InternalFault, IsolationUnavailable
from grader.sandbox.child import Child

Isolation = Literal["full", "none"]

_START_S = 120.0
_FORK_S = 20.0
_CLOSE_S = 2.0
# One thread at the fork (an OpenMP pool would deadlock in children), and a heap in huge
# pages: far fewer page-table entries to copy, half the cost of a fork (SANDBOX notes).
_TUNING = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "PYTHONMALLOC": "malloc",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_BOOT = (
    "import sys; sys.path += [p for p in {paths!r} if p not in sys.path]; "
    "from grader.sandbox.inside.zygote import main; main({control}, {pid})"
)


@dataclass(frozen=True)
class Host:
    """What the zygote found: versions, and whether it can jail (`isolation_error` None)."""

    isolation_error: str | None
    landlock_abi: int | None
    versions: dict[str, str]


class Keeper:
    """Owns one zygote and all its children. Safe to use from several threads.

    Args:
        isolation: "full" refuses to work where children cannot be jailed; "none" never
            jails, for one's own code only.

    Raises:
        IsolationUnavailable: "full" was asked for and cannot be had here.
        InternalFault: the zygote does not start.
    """

    def __init__(self, isolation: Isolation = "full") -> None:
        self.isolation = isolation
        self._lock = threading.Lock()
        self._zygote: _Zygote | None = None
        self._dying: list[Child] = []
        self._living: set[Child] = set()
        self._closed = False
        self._restarts = -1  # the first start is none
        with self._lock:
            self.host = self._started().host

    def spawn(self, program: Literal["worker", "referee"]) -> Child:
        """Ask for a child and return at once; `Child.await_ready` waits for it."""
        self._forget_dead()
        ours, theirs, lifeline, zygotes_end = _sockets()
        child = Child(ours, lifeline)
        request = json.dumps({"program": program, "jail": self.isolation == "full"}).encode()
        with theirs, zygotes_end:
            try:
                self._send(child, request, [theirs.fileno(), zygotes_end.fileno()])
            except GraderError:
                self.release(child)
                raise
        return child

    def _send(self, child: Child, request: bytes, fds: list[int]) -> None:
        """Send a request to the zygote, to a new one if the last has just died."""
        for last in (False, True):
            with self._lock:
                zygote = self._started()
                self._living.add(child)
            try:
                socket.send_fds(zygote.control, [request], fds)
                return
            except OSError as error:
                if last:
                    raise InternalFault(f"the zygote does not take requests: {error}") from None
                zygote.kill()

    def await_ready(self, child: Child) -> None:
        """Wait for a child; where the zygote is at fault, replace it.

        Raises:
            InternalFault: the child did not come up.
        """
        try:
            child.await_ready(_FORK_S, self._zygote_is_healthy)
        except InternalFault:
            self.release(child)
            if not self._zygote_is_healthy():
                with self._lock:
                    if self._zygote is not None:
                        self._zygote.kill()
            raise

    def _zygote_is_healthy(self) -> bool:
        zygote = self._zygote
        return zygote is not None and zygote.healthy

    def release(self, child: Child) -> None:
        """Kill a child and forget it."""
        child.kill()
        with self._lock:
            self._living.discard(child)
            if not self._closed:
                self._dying.append(child)
                return
        child.lifeline.close()

    @property
    def restarts(self) -> int:
        """How often the zygote had to be replaced."""
        return self._restarts

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """End every child and the zygote; wait until they are gone."""
        with self._lock:
            self._closed = True
            children = [*self._living, *self._dying]
            self._living.clear()
            self._dying.clear()
            zygote, self._zygote = self._zygote, None
        for child in children:
            child.kill()
        deadline = time.monotonic() + _CLOSE_S
        for child in children:
            child.wait_gone(deadline)
        if zygote is not None:
            zygote.close()

    def _started(self) -> _Zygote:
        """The running zygote, a new one if need be. Called with the lock held."""
        if self._closed:
            raise InternalFault("this grader is closed")
        if self._zygote is None or not self._zygote.running:
            if self._zygote is not None:
                self._zygote.close()
            self._zygote = _Zygote()
            self._restarts += 1
            error = self._zygote.host.isolation_error
            if error is not None and self.isolation == "full":
                self._zygote.close()
                self._zygote = None
                raise IsolationUnavailable(error)
        return self._zygote

    def _forget_dead(self) -> None:
        """Close the lifelines of children that have been reaped."""
        with self._lock:
            dying, self._dying = self._dying, []
        still = []
        for child in dying:
            child.lifeline.setblocking(False)
            try:
                while child.lifeline.recv(4096):
                    pass
            except BlockingIOError:
                still.append(child)
                continue
            except OSError:
                pass
            child.lifeline.close()
        if still:
            with self._lock:
                self._dying += still


class _Zygote:
    """The zygote's process. A thread of its own starts it and waits for its end: the kernel
    counts the starting *thread* as the parent whose end kills the child."""

    def __init__(self) -> None:
        try:
            self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError as error:
            raise InternalFault(f"no sockets to be had: {error}") from None
        # In memory: no disk has to have room for it, and no file can be left behind.
        self._errors: IO[bytes] = os.fdopen(os.memfd_create("grader-zygote-errors"), "w+b")
        self._process: subprocess.Popen[bytes] | None = None
        self._started = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(theirs,), name="grader-zygote", daemon=True
        )
        self._thread.start()
        self._started.wait()
        try:
            self.host = self._greeting()
        except InternalFault:
            self.close()
            raise

    def _run(self, theirs: socket.socket) -> None:
        with theirs:
            try:
                self._process = subprocess.Popen(
                    _command(theirs.fileno()),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    env=_environment(),
                    cwd="/",
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C is for the keeper to act on
                )
            except OSError as error:
                self._errors.write(str(error).encode())
        self._started.set()
        if self._process is not None:
            self._process.wait()

    def _greeting(self) -> Host:
        self.control.settimeout(_START_S)
        try:
            data = self.control.recv(1 << 16)
        except OSError:
            data = b""
        self.control.settimeout(None)
        if not data:
            self._errors.seek(0)
            last = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
            raise InternalFault(f"the zygote did not start: {last or 'no reason given'}")
        said: dict[str, Any] = json.loads(data)
        if said["threads"] != 1:
            raise InternalFault(f"the zygote has {said['threads']} threads, 1 expected")
        return Host(said["isolation_error"], said["landlock_abi"], said["versions"])

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self._thread.is_alive()

    @property
    def healthy(self) -> bool:
        """Whether the process runs and is not held by a signal."""
        if not self.running or self._process is None:
            return False
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text("ascii", "replace")
        except OSError:
            return False
        return stat.rpartition(")")[2].split()[0] not in ("T", "t", "Z", "X")

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.send_signal(signal.SIGKILL)
        self._thread.join(_CLOSE_S)

    def close(self) -> None:
        """Let it end by itself, then make sure."""
        self.control.close()
        self._thread.join(_CLOSE_S)
        if self._thread.is_alive():
            self.kill()
        self._errors.close()


def _sockets() -> tuple[socket.socket, ...]:
    """The two ends of a channel and of a lifeline."""
    try:
        channel = socket.socketpair()
    except OSError as error:
        raise InternalFault(f"no sockets to be had: {error}") from None
    try:
        return (*channel, *socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
    except OSError as error:
        for end in channel:
            end.close()
        raise InternalFault(f"no sockets to be had: {error}") from None


def _command(control_fd: int) -> list[str]:
    root = str(Path(grader.__file__).resolve().parents[1])
    packages = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    boot = _BOOT.format(paths=[*packages, root], control=control_fd, pid=os.getpid())
    return [sys.executable, "-P", "-s", "-c", boot]


def _environment() -> dict[str, str]:
    """Nothing of the host's environment but what the loader needs: it may hold secrets."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return {**kept, **_TUNING, "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}
