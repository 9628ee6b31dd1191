"""attack: raised_our_own
kind: protocol
expect: runtime_error, security_violation
Forges exceptions of the names by which referee and judge stop.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {
    "outcome": "raised",
    "type_names": ["StopJudging", "AuthorFault", "InternalFault", "BaseException"],
    "message": "x",
}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
