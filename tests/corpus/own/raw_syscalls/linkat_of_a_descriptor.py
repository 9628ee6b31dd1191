"""attack: linkat_of_a_descriptor
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Gives a descriptor a name; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(265, -100, b"/proc/self/fd/0", -100, b"/tmp/attack_marker_link", 0x400) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
