"""attack: changed_a_million_names
kind: protocol
expect: security_violation
Says that a hundred thousand arguments were changed.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "returned", "changed": ["x"] * 100_000}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
