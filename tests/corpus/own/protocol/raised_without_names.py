"""attack: raised_without_names
kind: protocol
expect: runtime_error, security_violation
Forges an exception that has no type at all.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "raised", "type_names": [], "message": ""}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
