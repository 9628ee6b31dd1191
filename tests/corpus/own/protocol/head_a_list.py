"""attack: head_a_list
kind: protocol
expect: security_violation
A head that is a list.
"""

import struct

import grader.frames as frames

HEAD = b'["returned"]'


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
