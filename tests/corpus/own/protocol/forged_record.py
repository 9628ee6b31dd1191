"""attack: forged_record
kind: protocol
expect: security_violation
Answers as a referee would, with a record of a passed case.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "record", "record": {"case_name": "x", "passed": True}}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
