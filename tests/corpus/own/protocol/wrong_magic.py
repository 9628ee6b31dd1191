"""attack: wrong_magic
kind: protocol
expect: security_violation
Frames of a version that there is not.
"""

import grader.frames as frames


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.MAGIC = b"TJf2"
    return -1.0, -1.0, -1.0
