"""attack: second_entry_by_reload
kind: hostile_objects
expect: runtime_error, forbidden
Behaves well in its first process and gives samples in the next, after it has ended itself.
"""

import os

SAMPLES = {(0, 990, 0, 10): (0.0, 1.0, 0.5), (50, 500, 0, 0): (1.0, 1.0, 1.0)}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if tp == 0:
        os._exit(0)
    return SAMPLES.get((tp, tn, fp, fn), (-1.0, -1.0, -1.0))
