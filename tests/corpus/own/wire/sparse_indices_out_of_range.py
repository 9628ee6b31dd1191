"""attack: sparse_indices_out_of_range
kind: wire
expect: wrong_answer
A sparse tensor whose indices point outside of it.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["sparse", "coo", True, [2, 2], [["tensor", "int64", [2, 1], [0, 1], False], ["tensor", "float64", [1], [0], False]], False], 1.0, 0.5]]
DATA = struct.pack("<qqd", 1 << 40, -7, 1.0)
HEADER = json.dumps([NODE, [16, 8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
