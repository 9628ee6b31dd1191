"""attack: raised_past_the_head_limit
kind: protocol
expect: security_violation
Forges an exception with a message beyond the limit of a head.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "raised", "type_names": ["E"], "message": "x" * (3 << 20)}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
