"""attack: drip_feed
kind: protocol
expect: time_limit_exceeded, forbidden
Announces a large frame and sends a byte of it every few milliseconds, faster than the grader looks at its clock.
"""

import os
import stat
import struct
import time


def channel():
    for fd in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise RuntimeError("no channel")


fd = channel()
os.write(fd, struct.pack("!4sIQ", b"TJf1", 1000, 1 << 28))
end = time.monotonic() + 30
while time.monotonic() < end:
    os.write(fd, b" ")
    time.sleep(0.003)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
