"""attack: timer_create
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Makes a timer that signals with SIGKILL, as only the grader does; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(222, 0, ctypes.create_string_buffer(64), ctypes.byref(ctypes.c_int())) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
