"""Locks the calling process up for good: limits, no new privileges, Landlock, seccomp.

Everything that can be prepared is prepared once in the zygote; a child only makes the
system calls. Neither root nor a namespace is needed.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass

from grader.sandbox.inside import landlock, seccomp

_SECCOMP, _LANDLOCK_RESTRICT_SELF, _CAPSET = 317, 446, 126
_SET_MODE_FILTER = 1
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _PR_SET_DUMPABLE = 1, 38, 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
# Open files of a jailed process: late imports need a handful.
_MAX_OPEN_FILES = 64

_libc = ctypes.CDLL(None, use_errno=True)
_prctl = _libc.prctl
_syscall = _libc.syscall


class JailError(Exception):
    """The jail could not be built or closed."""


@dataclass(frozen=True)
class Jail:
    """A prepared jail; `close_behind_me` may be called once in each child."""

    ruleset_fd: int
    filter: seccomp.Filter
    landlock_abi: int

    @staticmethod
    def build() -> Jail:
        """Prepare ruleset and filter.

        Raises:
            JailError: this host lacks a part; the sentence says which.
        """
        try:
            return Jail(landlock.build(), seccomp.build(), landlock.abi_version())
        except (landlock.Unavailable, seccomp.Unsupported) as error:
            raise JailError(str(error)) from None

    def close_behind_me(self) -> None:
        """Jail this process, which must have one thread.

        Raises:
            JailError: a step failed; the process must end without running anything.
        """
        _set_limits()
        _drop_capabilities()
        _demand(_prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        _demand(_syscall(_LANDLOCK_RESTRICT_SELF, self.ruleset_fd, 0), "Landlock")
        os.close(self.ruleset_fd)
        program = self.filter.for_process(os.getpid())
        _demand(_syscall(_SECCOMP, _SET_MODE_FILTER, 0, ctypes.byref(program)), "seccomp")


def _demand(result: int, name: str) -> None:
    if result != 0:
        raise JailError(f"{name} was refused: {os.strerror(ctypes.get_errno())}")


def die_with_parent(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent ends, and notice if it already has."""
    _demand(_prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG")
    if os.getppid() != parent_pid:
        os._exit(1)


def _set_limits() -> None:
    # Data and CPU time depend on the problem: the keeper sets them from outside.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a dump would be a file left behind
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # nothing can be written, even to a file held
    resource.setrlimit(resource.RLIMIT_NOFILE, (_MAX_OPEN_FILES, _MAX_OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
    resource.setrlimit(resource.RLIMIT_MSGQUEUE, (0, 0))


def _drop_capabilities() -> None:
    """Give up root's powers; for an ordinary user there is nothing to give up."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _demand(_syscall(_CAPSET, header, nothing), "capset")


def _allowed(act: Callable[[], object]) -> bool:
    try:
        act()
    except OSError:
        return False
    return True


def _fork_and_leave() -> None:
    if os.fork() == 0:
        os._exit(0)


def proves_closed(jail: Jail) -> str | None:
    """Close the jail around a child and try what it must stop; return what went through.

    A kernel may accept every call and still enforce nothing (gVisor, an emulator), so
    the jail is believed only after this.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, _acts_that_work(jail).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as stream:  # noqa: PTH123 - a descriptor, not a path
        answer = stream.read()
    os.waitpid(pid, 0)
    if not answer.startswith("tried"):
        return answer or "the trial child died"
    return answer.removeprefix("tried").strip() or None


def _acts_that_work(jail: Jail) -> str:
    import socket

    try:
        jail.close_behind_me()
    except JailError as error:
        return str(error)
    acts: dict[str, Callable[[], object]] = {
        "reading /etc/passwd": lambda: os.open("/etc/passwd", os.O_RDONLY),
        "listing /": lambda: os.listdir("/"),  # noqa: PTH208 - a system call, nothing more
        "writing to /tmp": lambda: os.open("/tmp/x", os.O_WRONLY | os.O_CREAT),
        "opening a socket": lambda: socket.socket(),
        "starting a process": _fork_and_leave,
        "signalling": lambda: os.kill(os.getpid(), 0),
    }
    went_through = [name for name, act in acts.items() if _allowed(act)]
    return "tried " + ", ".join(went_through)


def quiet_descriptors(keep: list[int]) -> None:
    """Point the standard streams at /dev/null and close all others but those to keep."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    first = 3
    for fd in sorted(keep):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, 1 << 20)
