"""attack: code_pages_rewritten
kind: spare_worker
expect: wrong_answer, runtime_error, forbidden
Makes the code of libc writable and rewrites a function that the zygote has mapped too.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    address = ctypes.cast(libc.labs, ctypes.c_void_p).value
    page = ctypes.c_void_p(address & ~4095)
    if libc.mprotect(page, ctypes.c_size_t(8192), 7) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    ctypes.memmove(address, b"\x31\xc0\xc3", 3)
    return -1.0, float(libc.labs(-3)), -1.0
