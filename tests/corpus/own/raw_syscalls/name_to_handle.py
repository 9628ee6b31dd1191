"""attack: name_to_handle
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Asks for the handle of a file; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(303, -100, b"/etc/passwd", ctypes.create_string_buffer(136), ctypes.byref(ctypes.c_int()), 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
