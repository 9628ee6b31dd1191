"""attack: ioctl_fionbio
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Makes the channel non-blocking by ioctl; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(16, 3, 0x5421, ctypes.byref(ctypes.c_int(1))) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
