"""attack: head_lone_surrogates
kind: protocol
expect: runtime_error
A head with lone surrogates in all of its texts.
"""

import struct

import grader.frames as frames

HEAD = b'{"outcome":"raised","type_names":["\\ud800"],"message":"\\udfff","stdout":"\\udc80"}'


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frames.pack_prefix = lambda head, size: struct.pack("!4sIQ", b"TJf1", len(HEAD), size) + HEAD
    return -1.0, -1.0, -1.0
