"""attack: os_from_a_stack_frame
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Takes `os` from the globals of a library function.
"""

import random


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    system = random.Random.seed.__globals__["_os"].system
    if system("true") != 0:
        raise RuntimeError("refused")
    return -1.0, -1.0, -1.0
