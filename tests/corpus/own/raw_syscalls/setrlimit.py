"""attack: setrlimit
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Raises its CPU limit by the old call; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(160, 0, (ctypes.c_uint64 * 2)(1 << 62, 1 << 62)) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
