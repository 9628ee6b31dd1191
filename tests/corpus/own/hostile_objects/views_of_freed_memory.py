"""attack: views_of_freed_memory
kind: hostile_objects
expect: wrong_answer, runtime_error, forbidden
Arrays over memory that has been given back.
"""

import ctypes

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    held = (ctypes.c_double * 3).from_buffer(bytearray(24))
    return np.frombuffer(held, "f8"), memoryview(held), held
