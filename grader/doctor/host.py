"""Facts about this host that decide whether, and how fast, the jail works."""

from __future__ import annotations

import os
import platform
import resource
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fact:
    """One thing found, and what to do about it if it is not as it should be."""

    name: str
    found: str
    advice: str = ""


def host_facts() -> tuple[Fact, ...]:
    """Return what can be read without starting anything."""
    return (
        Fact("system", f"{platform.system()} {platform.release()} {platform.machine()}", _system()),
        Fact("user", f"uid {os.getuid()}" + (" (root, not needed)" if os.getuid() == 0 else "")),
        _seccomp(),
        _user_namespaces(),
        _huge_pages(),
        _open_files(),
        Fact("/proc", "mounted" if Path("/proc/self/status").exists() else "missing",
             "" if Path("/proc/self/status").exists() else "mount /proc: limits are read there"),
        Fact("cores", str(os.cpu_count())),
    )  # fmt: skip


def _system() -> str:
    if platform.system() != "Linux":
        return "full isolation needs Linux; elsewhere run it in a virtual machine"
    if platform.machine() != "x86_64":
        return "the system-call filter is written for x86_64 only"
    return ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text("ascii", "replace").strip()
    except OSError:
        return ""


def _seccomp() -> Fact:
    actions = _read("/proc/sys/kernel/seccomp/actions_avail")
    if "errno" in actions:
        return Fact("seccomp", "available")
    return Fact("seccomp", "not shown", "seccomp filters are needed: a kernel with SECCOMP_FILTER")


def _user_namespaces() -> Fact:
    most = _read("/proc/sys/user/max_user_namespaces")
    allowed = most not in ("", "0") and _read("/proc/sys/kernel/unprivileged_userns_clone") != "0"
    return Fact("user namespaces", "available (not needed)" if allowed else "none (not needed)")


def _huge_pages() -> Fact:
    mode = _read("/sys/kernel/mm/transparent_hugepage/enabled")
    chosen = mode.partition("[")[2].partition("]")[0] or "unknown"
    advice = ""
    if chosen == "never":
        advice = "for twice the speed: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
    return Fact("transparent huge pages", chosen, advice)


def _open_files() -> Fact:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    advice = "" if soft >= 256 else "raise the limit of open files (ulimit -n 1024)"
    return Fact("open files", f"{soft} (hard {hard})", advice)
