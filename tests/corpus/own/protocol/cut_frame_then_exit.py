"""attack: cut_frame_then_exit
kind: protocol
expect: runtime_error, security_violation, forbidden
Writes half a frame and ends the process.
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
    os.write(channel(), struct.pack("!4sIQ", b"TJf1", 64, 0) + b'{"outcome"')
    os._exit(0)
