"""attack: body_at_the_limit_of_zeros
kind: protocol
expect: wrong_answer, security_violation, memory_limit_exceeded, forbidden
Sends the largest body a frame may have, all zeros.
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
    head = b'{"outcome":"returned","changed":[]}'
    size = 288 << 20
    fd = channel()
    os.write(fd, struct.pack("!4sIQ", b"TJf1", len(head), size) + head)
    block = bytes(1 << 20)
    while size:
        size -= os.write(fd, block[:size])
    return -1.0, -1.0, -1.0
