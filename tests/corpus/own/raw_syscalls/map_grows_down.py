"""attack: map_grows_down
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Maps a stack of 4 GiB, which the limit of data does not count; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long, ctypes.c_void_p] + [ctypes.c_long] * 5
libc.syscall.restype = ctypes.c_long


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(9, None, 4 << 30, 3, 0x122, -1, 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
