"""attack: negative_shape
kind: wire
expect: wrong_answer
A tensor of negative sides whose product is right.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["tensor", "float64", [-2, -2], [0, 1], False], 1.0, 0.5]]
DATA = bytes(32)
HEADER = json.dumps([NODE, [32]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
