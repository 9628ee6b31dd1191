"""attack: int_0x80
kind: raw_syscalls
expect: security_violation, runtime_error, forbidden
Calls the kernel by its 32-bit door, where the numbers mean other calls.
"""

import ctypes
import mmap

# mov eax, 20 (getpid); int 0x80; ret
CODE = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    page.write(CODE)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return -1.0, -1.0, -1.0
