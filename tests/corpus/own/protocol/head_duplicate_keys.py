"""attack: head_duplicate_keys
kind: protocol
expect: wrong_answer, security_violation
A head with the same key several times.
"""

import struct

import grader.frames as frames

HEAD = b'{"outcome":"accepted","outcome":"loaded","outcome":"returned","changed":[],"changed":[]}'


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
