"""attack: patched_snapshot
kind: protocol
expect: wrong_answer
Hides from the worker that an argument was changed; the values must still be right.
"""

import grader.sandbox.inside.worker as inside

inside._snapshot = lambda value: b""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
