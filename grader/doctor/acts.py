"""Acts that the jail must deny, as a submission: `attempt(name)` tries one and says what came.

Run only by `grader doctor`, in a worker. An act that is not denied is harmless by itself: it
opens without reading on, signals with 0, or ends its own child at once.
"""

import ctypes
import errno
import os
import socket
from collections.abc import Callable
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: Any) -> int:
    """Make a system call; raise what it answers."""
    padded = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *padded)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _child(number: int, *arguments: Any) -> None:
    if _call(number, *arguments) == 0:
        os._exit(0)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _parent() -> int:
    return os.getppid()


_PATH = ctypes.c_char_p(b"/tmp/grader-doctor")
_BUFFER = ctypes.create_string_buffer(256)
_RDONLY, _AT_FDCWD = os.O_RDONLY, -100

# What the jail answers; any other error means that the act got further than it may.
_DENIALS = (errno.EPERM, errno.EACCES, errno.ENOSYS)

ACTS: dict[str, Callable[[], object] | None] = {
    "read /etc/passwd": lambda: os.open("/etc/passwd", _RDONLY),
    "read BUNDLE": None,
    "read /proc/self/maps": lambda: os.open("/proc/self/maps", _RDONLY),
    "read /proc/self/mem": lambda: os.open("/proc/self/mem", _RDONLY),
    "read /proc/self/environ": lambda: os.open("/proc/self/environ", _RDONLY),
    "read the parent's memory": lambda: os.open(f"/proc/{_parent()}/mem", _RDONLY),
    "list /": lambda: os.listdir("/"),
    "list /tmp": lambda: os.listdir("/tmp"),
    "list /dev/shm": lambda: os.listdir("/dev/shm"),
    "write a file in /tmp": lambda: os.open("/tmp/grader-doctor", os.O_WRONLY | os.O_CREAT),
    "write a file in /dev/shm": lambda: os.open("/dev/shm/doctor", os.O_WRONLY | os.O_CREAT),
    "make an unnamed file": lambda: os.open("/tmp", os.O_WRONLY | os.O_TMPFILE),
    "append to a library": lambda: os.open(os.__file__, os.O_WRONLY | os.O_APPEND),
    "truncate a library": lambda: os.truncate(os.__file__, 0),
    "make a folder": lambda: os.mkdir("/tmp/grader-doctor"),
    "remove a file": lambda: os.unlink("/tmp/grader-doctor-none"),
    "rename a file": lambda: os.rename("/tmp/grader-doctor-a", "/tmp/grader-doctor-b"),
    "make a link": lambda: os.link(os.__file__, "/tmp/grader-doctor"),
    "make a symbolic link": lambda: os.symlink("/etc/passwd", "/tmp/grader-doctor"),
    "change a file's mode": lambda: os.chmod(os.__file__, 0o644),
    "change a file's owner": lambda: os.chown(os.__file__, os.getuid(), os.getgid()),
    "change a file's times": lambda: os.utime(os.__file__),
    "change the working folder": lambda: os.chdir("/"),
    "run a program": lambda: os.execv("/bin/true", ["true"]),
    "spawn a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "execve by number": lambda: _call(59, ctypes.c_char_p(b"/bin/true"), 0, 0),
    "fork": _fork,
    "vfork by number": lambda: _child(58),
    "clone by number": lambda: _child(56, 17, 0, 0, 0, 0),
    "clone3 by number": lambda: _child(435, _BUFFER, 88),
    "open a TCP socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "open a UDP socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "open a Unix socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "make a socket pair": lambda: socket.socketpair(),
    "make a pipe": lambda: os.pipe(),
    "signal the parent": lambda: os.kill(_parent(), 0),
    "signal process 1": lambda: os.kill(1, 0),
    "signal its group": lambda: os.killpg(0, 0),
    "open a handle of the parent": lambda: _call(434, _parent(), 0),
    "trace the parent": lambda: _call(101, 16, _parent(), 0, 0),
    "read memory of the parent": lambda: _call(310, _parent(), _BUFFER, 1, _BUFFER, 1, 0),
    "io_uring": lambda: _call(425, 1, _BUFFER),
    "bpf": lambda: _call(321, 0, _BUFFER, 64),
    "userfaultfd": lambda: _call(323, 0),
    "perf_event_open": lambda: _call(298, _BUFFER, 0, -1, -1, 0),
    "keyctl": lambda: _call(250, 0, -3, 0),
    "memfd_create": lambda: _call(319, _PATH, 0),
    "System V shared memory": lambda: _call(29, 0, 4096, 0o1600),
    "message queue": lambda: _call(240, _PATH, os.O_CREAT | os.O_RDWR, 0o600, 0),
    "mount": lambda: _call(165, _PATH, _PATH, _PATH, 0, 0),
    "chroot": lambda: os.chroot("/"),
    "new namespaces": lambda: _call(272, 0x10000000),
    "change user": lambda: _call(105, 0),
    "change personality": lambda: _call(135, 0),
    "raise a limit": lambda: _call(302, 0, 7, _BUFFER, 0),
    "lift the parent-death signal": lambda: _call(157, 1, 0, 0, 0, 0),
    "become dumpable": lambda: _call(157, 4, 1, 0, 0, 0),
    "change its scheduling": lambda: _call(144, 0, 0, _BUFFER),
    "change its affinity": lambda: _call(203, 0, 8, _BUFFER),
    "map shared anonymous memory": lambda: _libc_mmap(),
    "a call of the x32 table": lambda: _call(0x40000000 + 39),
}


def _libc_mmap() -> None:
    _libc.mmap.restype = ctypes.c_void_p
    address = _libc.mmap(None, ctypes.c_size_t(4096), 3, 0x21, -1, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def attempt(name: str) -> str:
    """Try an act; return "denied", or what it gave."""
    act = ACTS.get(name) or (lambda: os.open(name.removeprefix("read "), _RDONLY))
    try:
        result = act()
    except OSError as error:
        print(error.strerror)
        return "denied" if error.errno in _DENIALS else f"NOT DENIED ({error})"
    return f"NOT DENIED ({result!r})"
