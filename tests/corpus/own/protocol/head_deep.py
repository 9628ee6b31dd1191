"""attack: head_deep
kind: protocol
expect: security_violation
A head of a hundred thousand brackets.
"""

import struct

import grader.frames as frames

HEAD = b'{"outcome":' + b"[" * 100_000


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
