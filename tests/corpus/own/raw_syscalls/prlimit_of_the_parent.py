"""attack: prlimit_of_the_parent
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Lowers the CPU limit of the parent; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 3 + [ctypes.c_void_p] * 2


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(302, libc.getppid(), 0, (ctypes.c_uint64 * 2)(1, 1), None) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
