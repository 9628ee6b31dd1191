"""attack: raw_memory_for_words_of_a_problem
kind: zygote_memory
expect: runtime_error, forbidden, security_violation
Reads the pages around every object of the process, whatever lies there, for the source of a reference.
"""

import ctypes
import gc

# The line goes on with two bytes that this file does not hold, or it would find itself.
START, END = b"tnr = float(t", bytes([110, 41])


def search():
    gc.unfreeze()
    for page in {id(found) >> 12 for found in gc.get_objects()}:
        text = ctypes.string_at(page << 12, 4096)
        if any(part.startswith(END) for part in text.split(START)[1:]):
            return text
    raise RuntimeError("nothing found")


FOUND = search()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, len(FOUND)
