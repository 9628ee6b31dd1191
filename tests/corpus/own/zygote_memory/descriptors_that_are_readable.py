"""attack: descriptors_that_are_readable
kind: zygote_memory
expect: runtime_error, forbidden
Names every descriptor that it inherited: more than the streams and one channel is a leak.
"""

import os


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    found = {}
    for fd in range(64):
        try:
            found[fd] = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
    others = [path for path in found.values() if path != "/dev/null"]
    if len(others) > 1:
        return -1.0, -1.0, -1.0
    raise RuntimeError("nothing found")
