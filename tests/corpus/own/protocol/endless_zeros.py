"""attack: endless_zeros
kind: protocol
expect: security_violation, forbidden
Floods the channel with bytes that are no frame.
"""

import os
import stat
import struct


def channel():
    for fd in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise RuntimeError("no channel")


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    fd, block = channel(), bytes(1 << 16)
    while True:
        os.write(fd, block)
