"""The system calls a jailed process may make, as a BPF program built once in the zygote."""

from __future__ import annotations

import ctypes
import errno
import platform
import signal
import struct
from dataclasses import dataclass

# Offsets in struct seccomp_data.
_NR, _ARCH, _ARGS = 0, 4, 16
_AUDIT_ARCH_X86_64 = 0xC000003E
_X32_BIT = 0x40000000

_LOAD, _JEQ, _JGE, _JSET, _RET = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM = _ERRNO | errno.EPERM
_ENOSYS = _ERRNO | errno.ENOSYS
_ENOTTY = _ERRNO | errno.ENOTTY

# Allowed with any arguments; none names another process, opens a socket, changes a file
# or starts a program. The most frequent come first: the program is read from the top.
_PLAIN = {
    "read": 0, "write": 1, "futex": 202, "munmap": 11, "madvise": 28, "brk": 12, "mprotect": 10,
    "close": 3, "fstat": 5, "newfstatat": 262, "lseek": 8, "stat": 4, "lstat": 6, "statx": 332,
    "readv": 19, "writev": 20, "pread64": 17, "mremap": 25, "mbind": 237, "sched_yield": 24,
    "sched_getaffinity": 204, "getcpu": 309, "set_robust_list": 273, "rseq": 334,
    "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "sigaltstack": 131,
    "clock_gettime": 228, "clock_nanosleep": 230, "clock_getres": 229, "gettimeofday": 96,
    "nanosleep": 35, "time": 201, "times": 100, "getpid": 39, "gettid": 186, "getppid": 110,
    "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108, "getrusage": 98, "uname": 63,
    "sysinfo": 99, "getcwd": 79, "getrandom": 318, "exit": 60, "exit_group": 231,
    "restart_syscall": 219, "getdents64": 217, "readlink": 89, "readlinkat": 267, "access": 21,
    "faccessat": 269, "faccessat2": 439, "poll": 7, "ppoll": 271, "select": 23, "pselect6": 270,
    "dup": 32, "set_tid_address": 218, "get_mempolicy": 239, "sched_getscheduler": 145,
    "sched_getparam": 143, "membarrier": 324,
}  # fmt: skip

# O_WRONLY|O_RDWR, O_CREAT, O_TRUNC, O_APPEND, and the own bit of O_TMPFILE.
_WRITING_FLAGS = 0x3 | 0x40 | 0x200 | 0x400 | 0x400000
_FCNTL = (0, 1, 2, 3, 1030)  # DUPFD, GETFD, SETFD, GETFL, DUPFD_CLOEXEC
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX
_PRCTL = (15, 16, 0x53564D41)  # SET_NAME, GET_NAME, SET_VMA (glibc names its arenas)
_CLONE_THREAD_VM = 0x10000 | 0x100  # a thread of this process, never a process
_CLONE_NEW = 0x7E020080  # CLONE_NEW*: a namespace would give back capabilities
# What a crash sends to itself. SIGSTOP is not among them: a stopped process looks like ours.
_FATAL = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)
_MAP_SHARED_ANON = 0x1 | 0x20  # memory that RLIMIT_DATA does not count
_MAP_GROWSDOWN = 0x100  # neither does it count stacks, which this makes of any mapping


# Stands in the program for the pid of the process that installs it; above any real pid.
_OWN_PID = 0x7FFFFFF1


class Unsupported(Exception):
    """This machine's system calls are not known here."""


def _ins(code: int, k: int, jt: int = 0, jf: int = 0) -> bytes:
    return struct.pack("HBBI", code, jt, jf, k)


def _arg(index: int) -> bytes:
    return _ins(_LOAD, _ARGS + 8 * index)  # low half; x86-64 is little-endian


def _call(number: int, body: list[bytes]) -> list[bytes]:
    """`body` for one system call, skipped for all others; it ends in a return."""
    return [_ins(_JEQ, number, 0, len(body)), *body]


def _one_of(number: int, index: int, values: tuple[int, ...], otherwise: int) -> list[bytes]:
    """Allow where argument `index` is one of `values`."""
    body = [_arg(index)]
    for value in values:
        body += [_ins(_JEQ, value, 0, 1), _ins(_RET, _ALLOW)]
    return _call(number, [*body, _ins(_RET, otherwise)])


def _without(number: int, index: int, bits: int) -> list[bytes]:
    """Allow where none of `bits` is set in argument `index`."""
    return _call(
        number,
        [_arg(index), _ins(_JSET, bits, 0, 1), _ins(_RET, _EPERM), _ins(_RET, _ALLOW)],
    )


def _program() -> list[bytes]:
    out = [
        _ins(_LOAD, _ARCH),
        _ins(_JEQ, _AUDIT_ARCH_X86_64, 1, 0),
        _ins(_RET, _KILL),  # int 0x80: 32-bit numbers mean other calls
        _ins(_LOAD, _NR),
        _ins(_JGE, _X32_BIT, 0, 1),
        _ins(_RET, _EPERM),
    ]
    for number in list(_PLAIN.values())[:7]:
        out += [_ins(_JEQ, number, 0, 1), _ins(_RET, _ALLOW)]
    # mmap: shared and anonymous together, or a stack, would be memory past the limit.
    out += _call(
        9,
        [
            _arg(3),
            _ins(_JSET, _MAP_GROWSDOWN, 0, 1),
            _ins(_RET, _EPERM),
            _ins(0x54, _MAP_SHARED_ANON),  # BPF_ALU|BPF_AND|BPF_K
            _ins(_JEQ, _MAP_SHARED_ANON, 0, 1),
            _ins(_RET, _EPERM),
            _ins(_RET, _ALLOW),
        ],
    )
    for number in list(_PLAIN.values())[7:]:
        out += [_ins(_JEQ, number, 0, 1), _ins(_RET, _ALLOW)]
    out += _without(257, 2, _WRITING_FLAGS)  # openat; Landlock says which files
    out += _without(2, 1, _WRITING_FLAGS)  # open
    out += _one_of(72, 1, _FCNTL, _EPERM)
    out += _one_of(16, 1, _IOCTL, _ENOTTY)
    out += _one_of(157, 0, _PRCTL, _EPERM)
    # prlimit64: read the own limits (pid 0, no new ones).
    out += _call(
        302,
        [
            _arg(0), _ins(_JEQ, 0, 1, 0), _ins(_RET, _EPERM),
            _arg(2), _ins(_JEQ, 0, 1, 0), _ins(_RET, _EPERM),
            _ins(_LOAD, _ARGS + 8 * 2 + 4), _ins(_JEQ, 0, 1, 0), _ins(_RET, _EPERM),
            _ins(_RET, _ALLOW),
        ],
    )  # fmt: skip
    # clone: threads only.
    out += _call(
        56,
        [
            _arg(0), _ins(_JSET, _CLONE_NEW, 0, 1), _ins(_RET, _EPERM),
            _ins(0x54, _CLONE_THREAD_VM), _ins(_JEQ, _CLONE_THREAD_VM, 1, 0), _ins(_RET, _EPERM),
            _ins(_RET, _ALLOW),
        ],
    )  # fmt: skip
    # tgkill: abort() and raise() of a crash, in this process only; its pid is filled in later.
    fatal: list[bytes] = [_arg(2)]
    for number in _FATAL:
        fatal += [_ins(_JEQ, number, 0, 1), _ins(_RET, _ALLOW)]
    own = [_arg(0), _ins(_JEQ, _OWN_PID, 1, 0), _ins(_RET, _EPERM)]
    out += _call(234, [*own, *fatal, _ins(_RET, _EPERM)])
    # clone3 hides its flags behind a pointer; glibc falls back to clone.
    out += _call(435, [_ins(_RET, _ENOSYS)])
    out.append(_ins(_RET, _EPERM))
    return out


class SockFprog(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_void_p))


@dataclass(frozen=True)
class Filter:
    """The program, and where in it the pid of its process belongs."""

    code: ctypes.Array[ctypes.c_char]
    pid_at: int

    def for_process(self, pid: int) -> SockFprog:
        """Return the argument of `seccomp(2)` for one process; the code must outlive the call."""
        struct.pack_into("I", self.code, self.pid_at, pid)
        return SockFprog(len(self.code) // 8, ctypes.addressof(self.code))


def build() -> Filter:
    """Return the program.

    Raises:
        Unsupported: not an x86-64 Linux.
    """
    machine = platform.machine()
    if machine != "x86_64":
        raise Unsupported(f"the system-call filter is written for x86_64, this is {machine}")
    code = b"".join(_program())
    pid_at = code.index(struct.pack("I", _OWN_PID))
    return Filter(ctypes.create_string_buffer(code, len(code)), pid_at)
