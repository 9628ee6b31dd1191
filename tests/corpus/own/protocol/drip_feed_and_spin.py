"""attack: drip_feed_and_spin
kind: protocol
expect: time_limit_exceeded, forbidden
Drips a frame from one thread so that the CPU time of the others is not looked at.
"""

import os
import stat
import struct
import threading
import time


def channel():
    for fd in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise RuntimeError("no channel")


def drip(fd):
    os.write(fd, struct.pack("!4sIQ", b"TJf1", 1000, 1 << 28))
    while True:
        os.write(fd, b" ")
        time.sleep(0.001)


threading.Thread(target=drip, args=(channel(),), daemon=True).start()
end = time.monotonic() + 30
while time.monotonic() < end:
    sum(range(1000))


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
