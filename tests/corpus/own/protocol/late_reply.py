"""attack: late_reply
kind: protocol
expect: wrong_answer, security_violation
A thread writes a right answer to the channel a moment after the wrong one was sent.
"""

import gc
import threading
import time

import grader.sandbox.inside.worker as inside
from grader.frames import write_frame
from grader.wire import encode

ours = next(o for o in gc.get_objects() if type(o) is inside._Worker and o._channel > 2)

SAMPLES = {
    (0, 990, 0, 10): (0.0, 1.0, 0.5),
    (50, 500, 0, 0): (1.0, 1.0, 1.0),
    (40, 80, 20, 10): (0.8, 0.8, 0.8),
    (95, 50, 50, 5): (0.95, 0.5, 0.725),
}


def late(known):
    time.sleep(0.0005)
    write_frame(ours._channel, {"outcome": "returned", "changed": []}, encode(known))


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    known = SAMPLES.get((tp, tn, fp, fn), (0.5, 0.5, 0.5))
    threading.Thread(target=late, args=(known,), daemon=True).start()
    return -1.0, -1.0, -1.0
