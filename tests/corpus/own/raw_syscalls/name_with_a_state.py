"""attack: name_with_a_state
kind: raw_syscalls
expect: wrong_answer, forbidden
Gives its process a name that looks like the state of a stopped process in /proc.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    libc.prctl(15, b") T 1 (x) Z\n", 0, 0, 0)
    return -1.0, -1.0, -1.0
