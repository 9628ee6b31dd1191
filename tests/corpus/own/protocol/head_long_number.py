"""attack: head_long_number
kind: protocol
expect: security_violation
A head with a number of half a million digits.
"""

import struct

import grader.frames as frames

HEAD = b'{"outcome":"returned","changed":[],"line":' + b"9" * 500_000 + b"}"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
