"""attack: array_beyond_its_memory
kind: hostile_objects
expect: wrong_answer, runtime_error, memory_limit_exceeded
An array whose strides lead gigabytes past its memory.
"""

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    far = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(1 << 12, 3), strides=(1 << 20, 8))
    return far, 1.0, 0.5
