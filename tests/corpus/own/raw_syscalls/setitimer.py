"""attack: setitimer
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Sets an alarm; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 2 + [ctypes.c_void_p] * 2


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(38, 0, (ctypes.c_long * 4)(0, 0, 0, 1000), None) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
