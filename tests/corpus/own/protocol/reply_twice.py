"""attack: reply_twice
kind: protocol
expect: security_violation
Has the worker write each of its replies twice, so that one is left for the next case.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame


def twice(fd, head, body=b""):
    plain(fd, head, body)
    plain(fd, head, body)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = twice
    return -1.0, -1.0, -1.0
