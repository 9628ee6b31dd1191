"""attack: forged_invalid
kind: protocol
expect: invalid_submission
Answers a call as if the source did not parse, at a line of true and a column of 10**30.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "invalid", "message": "\x1b[2J", "line": True, "column": 10**30}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
