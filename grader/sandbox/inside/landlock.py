"""Which files a jailed process may read, as a Landlock ruleset built once in the zygote."""

from __future__ import annotations

import ctypes
import errno
import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_CREATE_RULESET, _ADD_RULE = 444, 445
_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
# Rights known by each ABI version: files and folders, then rename across folders (2),
# truncate (3), device ioctl (5). What a kernel does not know must not be asked of it.
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NET_ALL = 0b11  # bind and connect TCP, from ABI 4
_SCOPE_ALL = 0b11  # abstract sockets and signals of other processes, from ABI 6

# Packages of site-packages a submission may load files of. Everything else there stays
# closed: an installed wheel of this project keeps its problems in site-packages too.
READABLE_PACKAGES = (
    *("torch", "torchgen", "functorch", "numpy", "numpy.libs", "scipy", "scipy.libs"),
    # what torch imports late
    *("sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock", "fsspec"),
    "typing_extensions.py",
)
# Not /dev/zero: mapped shared, it is memory that no limit counts.
_READABLE_SYSTEM = (
    *("/dev/null", "/dev/urandom", "/dev/random"),
    *("/usr/share/zoneinfo", "/etc/ld.so.cache"),
)
# Shared libraries that the standard library loads late. Only the files themselves: some
# systems keep Python packages below these folders.
_LIBRARY_FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/local/lib")


class _RulesetAttr(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneathAttr(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


class Unavailable(Exception):
    """The kernel offers no Landlock; the sentence says which way."""


_libc = ctypes.CDLL(None, use_errno=True)


def abi_version() -> int:
    """Return the kernel's Landlock ABI version.

    Raises:
        Unavailable: not built in, switched off, or filtered by a container.
    """
    version: int = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    if version >= 1:
        return version
    code = ctypes.get_errno()
    reason = {
        errno.ENOSYS: "the kernel is older than 5.13, built without it, or a filter hides it",
        errno.EOPNOTSUPP: "it is switched off at boot (add landlock to the lsm= parameter)",
        errno.EPERM: "a container's system-call filter refuses it",
    }.get(code, os.strerror(code))
    raise Unavailable(f"Landlock is not available: {reason}")


def build() -> int:
    """Return a descriptor of the finished ruleset.

    Raises:
        Unavailable: no Landlock here.
    """
    version = abi_version()
    fs_all = (1 << _FS_BITS.get(version, 16)) - 1
    attr = _RulesetAttr(fs_all, _NET_ALL, _SCOPE_ALL)
    size = 8 if version < 4 else 16 if version < 6 else 24
    fd: int = _libc.syscall(
        _CREATE_RULESET, ctypes.byref(attr), ctypes.c_size_t(size), ctypes.c_uint(0)
    )
    if fd < 0:
        raise Unavailable(f"Landlock is not available: {os.strerror(ctypes.get_errno())}")
    for path in readable_paths():
        _allow(fd, path)
    return fd


def _allow(ruleset: int, path: Path) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a closed path more is no danger
    rights = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
    rule = _PathBeneathAttr(rights, parent)
    try:
        if _libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0) != 0:
            raise Unavailable(f"Landlock refused {path}: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(parent)


def readable_paths() -> Iterator[Path]:
    """Yield every path a jailed process may read, folders with all they hold."""
    yield from (Path(name) for name in _READABLE_SYSTEM)
    for name in _LIBRARY_FOLDERS:
        yield from Path(name).glob("*.so*")
    multiarch = sysconfig.get_config_var("MULTIARCH")
    if multiarch:
        yield from Path("/usr/lib", multiarch).glob("*.so*")
    packages = _package_folders()
    for key in ("stdlib", "platstdlib"):
        # Entry by entry: site-packages may lie in this folder, and Landlock cannot subtract.
        stdlib = Path(sysconfig.get_path(key))
        yield from (entry for entry in _entries(stdlib) if entry not in packages)
    for folder in packages:
        yield from (folder / name for name in READABLE_PACKAGES)
    # Python's own shared library, where it is not in /lib.
    library_folder = sysconfig.get_config_var("LIBDIR")
    if library_folder:
        yield from Path(library_folder).glob("libpython*")


def _package_folders() -> set[Path]:
    named = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    named |= set(site.getsitepackages()) | {site.getusersitepackages()}
    named |= {entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")}
    base = Path(sysconfig.get_path("stdlib"))
    return {Path(name) for name in named} | {base / "site-packages", base / "dist-packages"}


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
