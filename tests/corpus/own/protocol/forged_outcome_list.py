"""attack: forged_outcome_list
kind: protocol
expect: security_violation
Answers with a list where the kind of the outcome belongs.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": ["returned"]}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
