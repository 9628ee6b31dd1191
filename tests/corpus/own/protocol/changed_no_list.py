"""attack: changed_no_list
kind: protocol
expect: security_violation
Says that `changed` is an object.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "returned", "changed": {"0": "tp"}}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
