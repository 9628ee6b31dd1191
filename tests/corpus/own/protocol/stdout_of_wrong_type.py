"""attack: stdout_of_wrong_type
kind: protocol
expect: security_violation
Gives the printed text as a number.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "returned", "changed": [], "stdout": 1e308, "stderr": []}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
