"""The zygote: loads torch and numpy once, then forks jailed children on request.

Started by the keeper as `zygote.main(control_fd)`. It has one thread, holds no secret and
reads nothing but requests of the keeper: a program's name and two descriptors.

A request is one message on the control socket. The child gets the first descriptor as its
channel; on the second, its *lifeline*, the zygote tells the keeper the child's pid (with a
pidfd), later how it ended, and then closes it. A lifeline that closes without a farewell
means that the zygote itself is gone.
"""

from __future__ import annotations

import array
import contextlib
import importlib
import json
import os
import platform
import resource
import select
import signal
import socket
from pathlib import Path
from typing import Any

# Child programs; a request names one of them.
_PROGRAMS = {"worker": "grader.sandbox.inside.worker", "referee": "grader.referee"}
_MAX_REQUEST = 4096


def main(control_fd: int, keeper_pid: int) -> None:
    """Serve fork requests until the keeper's end of the control socket closes."""
    from grader.sandbox.inside.jail import Jail, JailError, die_with_parent, proves_closed
    from grader.sandbox.inside.warm_up import settle, warm_up

    die_with_parent(keeper_pid)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    control = socket.socket(fileno=control_fd)
    jail: Jail | None = None
    try:
        jail = Jail.build()
        breach = proves_closed(jail)
        reason = f"the jail does not hold here: {breach} was possible" if breach else None
    except JailError as error:
        reason = str(error)
    if not Path("/proc/self/status").exists():
        reason = reason or "/proc is not mounted: memory cannot be limited without it"
    if reason is not None:
        jail = None
    warm_up()
    settle(importlib.import_module(_PROGRAMS["worker"]).prepare)
    threads = len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else 1  # noqa: PTH110, PTH208
    control.send(json.dumps(_greeting(jail, reason, threads)).encode())
    _Zygote(control, jail).serve()


def _greeting(jail: Any, reason: str | None, threads: int) -> dict[str, Any]:
    import numpy
    import torch

    return {
        "pid": os.getpid(),
        "isolation_error": reason,
        "landlock_abi": jail.landlock_abi if jail is not None else None,
        "threads": threads,
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": numpy.__version__,
        },
    }


class _Zygote:
    def __init__(self, control: socket.socket, jail: Any) -> None:
        self._control = control
        self._jail = jail
        self._poll = select.epoll()
        self._poll.register(control, select.EPOLLIN)
        self._children: dict[int, tuple[int, socket.socket]] = {}

    def serve(self) -> None:
        """Fork and reap until the keeper is gone; the kernel then kills the children."""
        while True:
            for fd, _ in self._poll.poll():
                if fd == self._control.fileno():
                    if not self._take_request():
                        return
                else:
                    self._reap(fd)

    def _take_request(self) -> bool:
        room = socket.CMSG_SPACE(2 * 4)
        data, ancillary, *_ = self._control.recvmsg(_MAX_REQUEST, room)
        if not data:
            return False
        fds = array.array("i")
        for _, _, payload in ancillary:
            fds.frombytes(payload)
        if len(fds) == 2:
            self._fork(json.loads(data), *fds)
        else:  # out of descriptors: closing what came tells the keeper
            for fd in fds:
                os.close(fd)
        return True

    def _fork(self, request: dict[str, Any], channel: int, lifeline_fd: int) -> None:
        lifeline = socket.socket(fileno=lifeline_fd)
        zygote_pid = os.getpid()
        try:
            pid = os.fork()
            if pid == 0:
                _run_child(request, channel, zygote_pid, self._jail)
            pidfd = _open_or_kill(pid)
        except OSError as error:
            with contextlib.suppress(OSError):
                lifeline.send(json.dumps({"error": f"fork failed: {error.strerror}"}).encode())
            lifeline.close()
            return
        finally:
            os.close(channel)
        message = json.dumps({"pid": pid}).encode()
        try:
            socket.send_fds(lifeline, [message], [pidfd])
        except OSError:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)  # nobody waits for it any more
        self._children[pidfd] = (pid, lifeline)
        self._poll.register(pidfd, select.EPOLLIN)

    def _reap(self, pidfd: int) -> None:
        pid, lifeline = self._children.pop(pidfd)
        self._poll.unregister(pidfd)
        _, status, usage = os.wait4(pid, 0)
        farewell = {
            "exit": os.waitstatus_to_exitcode(status),
            "cpu_s": usage.ru_utime + usage.ru_stime,
        }
        with contextlib.suppress(OSError):  # the keeper may have let go of this child
            lifeline.send(json.dumps(farewell).encode())
        lifeline.close()
        os.close(pidfd)


def _open_or_kill(pid: int) -> int:
    """A pidfd of a new child; without one it could not be watched, and must not live."""
    try:
        return os.pidfd_open(pid)
    except OSError:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise


def _run_child(request: dict[str, Any], channel: int, zygote_pid: int, jail: Any) -> None:
    """Become the requested program, jailed; never return."""
    from grader.frames import write_frame

    serving = False
    try:
        from grader.sandbox.inside.jail import die_with_parent, quiet_descriptors

        die_with_parent(zygote_pid)
        jailed = request["jail"]
        quiet_descriptors([channel, *([jail.ruleset_fd] if jailed else [])])
        program = importlib.import_module(_PROGRAMS[request["program"]])
        program.prepare()
        ready = _memory()
        if jailed:
            jail.close_behind_me()
        write_frame(channel, ready)
        serving = True
        program.serve(channel)
    except BaseException as error:
        if not serving:
            write_frame(channel, {"failed": f"{type(error).__name__}: {error}"[:1000]})
        os._exit(70)  # EX_SOFTWARE
    finally:
        os._exit(0)


def _memory() -> dict[str, Any]:
    """Bytes of data, of addresses and of resident anonymous pages: baselines of the limits."""
    sizes = {"VmData": 0, "VmSize": 0, "RssAnon": 0}
    try:
        status = os.open("/proc/self/status", os.O_RDONLY)
        rows = os.read(status, 8192).split(b"\n")
        os.close(status)
    except OSError:
        rows = []  # no /proc: the zygote has said so already
    for row in rows:
        name, _, rest = row.partition(b":")
        if name.decode() in sizes:
            sizes[name.decode()] = int(rest.split()[0]) * 1024
    return {
        "vm_data": sizes["VmData"],
        "vm_size": sizes["VmSize"],
        "rss_anon": sizes["RssAnon"],
    }
