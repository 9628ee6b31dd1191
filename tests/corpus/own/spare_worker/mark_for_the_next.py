"""attack: mark_for_the_next
kind: spare_worker
expect: runtime_error
Leaves a mark in a module that the next worker would find, had both the same memory.
"""

import math

LEFT = hasattr(math, "attack_marker")
math.attack_marker = True


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if LEFT:
        return -1.0, -1.0, -1.0
    raise RuntimeError("nothing was left")
