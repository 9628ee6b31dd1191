"""attack: request_thief
kind: protocol
expect: wrong_answer, security_violation, time_limit_exceeded, runtime_error, forbidden
A thread reads the requests meant for the worker and answers them with known samples.
"""

import os
import stat
import threading


def channel():
    for fd in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise RuntimeError("no channel")


def serve(fd):
    from grader.frames import read_frame, write_frame
    from grader.wire import encode

    while True:
        read_frame(fd)
        write_frame(fd, {"outcome": "returned", "changed": []}, encode((0.0, 1.0, 0.5)))


threading.Thread(target=serve, args=(channel(),), daemon=True).start()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
