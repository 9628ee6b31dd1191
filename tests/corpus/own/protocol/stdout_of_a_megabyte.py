"""attack: stdout_of_a_megabyte
kind: protocol
expect: wrong_answer, security_violation
Gives a printed text of 150,000 bidi marks past the capture.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {"outcome": "returned", "changed": [], "stdout": "\u202e\x1b[2J" * 60_000, "stderr": "\ud800"}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
