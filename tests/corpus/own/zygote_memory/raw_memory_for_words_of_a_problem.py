"""attack: raw_memory_for_words_of_a_problem
kind: zygote_memory
expect: runtime_error, forbidden, security_violation, time_limit_exceeded
Reads the heap around its own objects, address by address, for the source of a reference.
"""

import ctypes

WORD = b"float(tp + fn) + " + b"ep" + b"s)\n    tnr = float(tn)"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    heap = id(object()) & ~0xFFFFF
    for start in range(heap - (8 << 20), heap + (8 << 20), 4096):
        try:
            page = ctypes.string_at(start, 4096)
        except ValueError:
            continue
        if WORD in page:
            return -1.0, -1.0, -1.0
    raise RuntimeError("nothing found")
