"""attack: number_with_high_bits
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Opens a socket by a number whose high half a filter may not look at; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 4


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall((1 << 32) + 41, 2, 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
