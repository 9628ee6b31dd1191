"""attack: map_of_a_library
kind: limits
expect: runtime_error, memory_limit_exceeded, security_violation, forbidden
Maps a large library privately and writes to every page of it.
"""

import mmap
import os
from pathlib import Path

import torch

LIBRARY = next((Path(torch.__file__).parent / "lib").glob("libtorch_cpu*"))


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    fd = os.open(LIBRARY, os.O_RDONLY)
    held = []
    for _ in range(16):
        view = mmap.mmap(fd, 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        for at in range(0, len(view), 4096):
            view[at] = 1
        held.append(view)
    return -1.0, -1.0, -1.0
