"""attack: mark_in_libc
kind: spare_worker
expect: runtime_error, forbidden
Leaves a mark in the memory of libc.
"""

import ctypes

libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
LEFT = libc.getenv(b"ATTACK_MARKER")
libc.setenv(b"ATTACK_MARKER", b"1", 1)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if LEFT:
        return -1.0, -1.0, -1.0
    raise RuntimeError("nothing was left")
