"""attack: shape_of_true
kind: wire
expect: wrong_answer
Sides and axes that are booleans and floats.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["tensor", "float64", [True, 1.0], [False, True], False], 1.0, 0.5]]
DATA = bytes(8)
HEADER = json.dumps([NODE, [8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
