"""attack: forged_lost
kind: protocol
expect: security_violation
Answers in the words that the judge uses towards a referee.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "lost", "op": "lost", "raised": None}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
