"""attack: forged_skipped
kind: protocol
expect: security_violation
Answers a call with a verdict of its own.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "accepted", "verdict": "accepted", "passed": True}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
