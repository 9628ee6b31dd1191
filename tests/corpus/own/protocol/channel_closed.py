"""attack: channel_closed
kind: protocol
expect: runtime_error, forbidden
Closes the channel and goes on.
"""

import os
import stat
import time


def channel():
    for fd in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise RuntimeError("no channel")


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    os.close(channel())
    time.sleep(20)
    return -1.0, -1.0, -1.0
