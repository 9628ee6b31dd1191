"""attack: head_utf16
kind: protocol
expect: security_violation, wrong_answer
A head in another encoding that a JSON reader may detect.
"""

import struct

import grader.frames as frames

HEAD = '{"outcome":"returned","changed":[]}'.encode("utf-16")


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
