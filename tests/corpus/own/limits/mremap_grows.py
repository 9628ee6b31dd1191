"""attack: mremap_grows
kind: limits
expect: runtime_error, memory_limit_exceeded, security_violation, forbidden
Lets a small mapping grow to 4 GiB.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def reserve(size, protection, flags):
    address = libc.mmap(None, size, protection, flags, -1, 0)
    if address in (None, (1 << 64) - 1):
        raise OSError(ctypes.get_errno(), "refused")
    return address


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    start, size = reserve(1 << 20, 3, 0x22), 1 << 20
    libc.mremap.restype = ctypes.c_void_p
    while size < 4 << 30:
        new = libc.mremap(ctypes.c_void_p(start), ctypes.c_size_t(size), ctypes.c_size_t(2 * size), 1)
        if new in (None, (1 << 64) - 1):
            raise OSError(ctypes.get_errno(), "refused")
        start, size = new, 2 * size
        ctypes.memset(start, 1, size)
    return -1.0, -1.0, -1.0
