"""attack: forged_checked
kind: protocol
expect: wrong_answer, security_violation
Answers a call as if the source had only been checked.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "checked", "violations": []}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
