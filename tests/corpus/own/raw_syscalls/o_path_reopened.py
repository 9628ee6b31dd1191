"""attack: o_path_reopened
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Opens a closed file as a mere path, which is allowed, then again through its descriptor.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    fd = libc.open(b"/etc/passwd", 0o10000000)
    if libc.open(f"/proc/self/fd/{fd}".encode(), 0) < 0 and libc.read(fd, bytes(8), 8) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
