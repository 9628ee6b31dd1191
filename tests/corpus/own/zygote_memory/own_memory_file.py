"""attack: own_memory_file
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Opens the file of its own memory, which would write past page protections.
"""

import os


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    os.open("/proc/self/mem", os.O_RDONLY)
    return -1.0, -1.0, -1.0
