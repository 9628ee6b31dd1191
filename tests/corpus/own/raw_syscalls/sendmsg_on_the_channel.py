"""attack: sendmsg_on_the_channel
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Sends on the inherited channel by sendmsg, which could pass a descriptor; a call that returns means it was let through.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if libc.syscall(46, 3, ctypes.create_string_buffer(56), 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return -1.0, -1.0, -1.0
