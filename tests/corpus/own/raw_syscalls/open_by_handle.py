"""attack: open_by_handle
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Opens a file past its path, by handle; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(304, -100, ctypes.create_string_buffer(64), 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
