"""attack: buffers_left_over
kind: wire
expect: wrong_answer
Buffers that belong to nothing, and one that reaches beyond the end.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [0.0, 1.0, 0.5]]
DATA = bytes(8)
HEADER = json.dumps([NODE, [8, 1 << 62, -1]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
