"""attack: keys_that_collide
kind: wire
expect: wrong_answer, output_limit_exceeded
A hundred thousand keys of one hash.
"""

import json
import struct

import grader.wire as wire

NODE = ["dict", [[["tuple", [-1 - (i >> j & 1) for j in range(17)]], i] for i in range(1 << 15)]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
