"""attack: symlinkat
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Puts a symbolic link to a closed file where it may read; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(266, b"/etc/passwd", -100, b"/tmp/attack_marker_symlink") < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
