"""attack: void_and_overlapping_fields
kind: hostile_objects
expect: wrong_answer, runtime_error
Structures whose fields lie upon one another, and raw memory without a type.
"""

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    kind = np.dtype({"names": ["a", "b"], "formats": ["f8", "O"], "offsets": [0, 8], "itemsize": 16})
    over = np.dtype({"names": ["a", "b"], "formats": ["f8", "i8"], "offsets": [0, 0]})
    return np.zeros(2, over), np.void(b"12345678"), np.zeros(1, kind)
