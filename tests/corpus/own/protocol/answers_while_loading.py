"""attack: answers_while_loading
kind: protocol
expect: security_violation
Writes answers for all cases at module level, before anyone has asked.
"""

import gc

import grader.sandbox.inside.worker as inside
from grader.frames import write_frame
from grader.wire import encode

ours = next(o for o in gc.get_objects() if type(o) is inside._Worker and o._channel > 2)

for _ in range(8):
    write_frame(ours._channel, {"outcome": "returned", "changed": []}, encode((0.0, 1.0, 0.5)))


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
