"""attack: map_shared_anonymous
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Maps shared memory that the limit of data does not count; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long, ctypes.c_void_p] + [ctypes.c_long] * 5
libc.syscall.restype = ctypes.c_long


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(9, None, 1 << 31, 3, 0x21, -1, 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
