"""attack: forged_fault
kind: protocol
expect: security_violation
Answers as a referee would, that the author is at fault.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "fault", "message": "the reference fails", "path": "$"}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
