"""attack: open_for_append
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Opens a file of the grader to append to it; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(257, -100, __import__("grader").__file__.encode(), 0o2001, 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
