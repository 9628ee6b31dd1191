"""attack: brk_grows
kind: limits
expect: runtime_error, memory_limit_exceeded, security_violation, forbidden
Moves the end of the heap by 4 GiB.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p
libc.sbrk.argtypes = [ctypes.c_long]


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    for _ in range(64):
        if libc.sbrk(64 << 20) in (None, (1 << 64) - 1):
            raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
