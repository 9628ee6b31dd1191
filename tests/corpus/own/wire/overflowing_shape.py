"""attack: overflowing_shape
kind: wire
expect: wrong_answer
Sides whose product overflows to the number of bytes that were sent.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["tensor", "float32", [2**31, 2**31, 4], [0, 1, 2], False], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, [0]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
