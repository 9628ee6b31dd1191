"""attack: reserve_then_write
kind: limits
expect: runtime_error, memory_limit_exceeded, security_violation, forbidden
Reserves addresses that may not be written, then makes them writable piece by piece.
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
    start = reserve(4 << 30, 0, 0x4022)
    for address in range(start, start + (4 << 30), 64 << 20):
        if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(64 << 20), 3) < 0:
            raise OSError(ctypes.get_errno(), "refused")
        ctypes.memset(address, 1, 64 << 20)
    return -1.0, -1.0, -1.0
