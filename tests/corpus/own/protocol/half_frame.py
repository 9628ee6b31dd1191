"""attack: half_frame
kind: protocol
expect: security_violation, time_limit_exceeded, forbidden
Writes the first half of a frame and leaves the rest to the honest reply.
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


os.write(channel(), struct.pack("!4sIQ", b"TJf1", 4096, 4096) + b'{"outcome": "ret')


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
