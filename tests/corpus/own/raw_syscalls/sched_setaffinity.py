"""attack: sched_setaffinity
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Chooses its cores; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(203, 0, 8, ctypes.byref(ctypes.c_uint64(1))) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
