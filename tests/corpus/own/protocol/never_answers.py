"""attack: never_answers
kind: protocol
expect: time_limit_exceeded
Has the worker throw its replies away.
"""

import grader.sandbox.inside.worker as inside


inside.write_frame = lambda *arguments: None


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
