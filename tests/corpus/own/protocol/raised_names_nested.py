"""attack: raised_names_nested
kind: protocol
expect: security_violation
Forges an exception whose type names are lists of lists.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "raised", "type_names": [[["E"]]], "message": {"a": 1}}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
