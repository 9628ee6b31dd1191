"""attack: body_of_exabytes
kind: protocol
expect: security_violation, forbidden
Announces a frame body of 16 EiB.
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
    os.write(channel(), struct.pack("!4sIQ", b"TJf1", 2, 0xFFFFFFFFFFFFFFFF) + b"{}")
    return -1.0, -1.0, -1.0
