"""attack: head_of_four_gigabytes
kind: protocol
expect: security_violation, forbidden
Announces a frame head of 4 GiB.
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
    os.write(channel(), struct.pack("!4sIQ", b"TJf1", 0xFFFFFFFF, 0) + b"{}")
    return -1.0, -1.0, -1.0
