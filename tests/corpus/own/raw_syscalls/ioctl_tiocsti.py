"""attack: ioctl_tiocsti
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Types into the terminal of whoever runs the grader; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(16, 0, 0x5412, b"x") < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
