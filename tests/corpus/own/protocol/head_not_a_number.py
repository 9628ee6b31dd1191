"""attack: head_not_a_number
kind: protocol
expect: security_violation, runtime_error
A head with NaN, infinities and numbers out of range where lines belong.
"""

import struct

import grader.frames as frames

HEAD = b'{"outcome":"raised","type_names":["E"],"message":"m","line":NaN,"function":-Infinity,"x":1e999}'


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
