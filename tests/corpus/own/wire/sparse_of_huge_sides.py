"""attack: sparse_of_huge_sides
kind: wire
expect: wrong_answer
A sparse tensor of 2**61 sides and one value.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["sparse", "coo", True, [2**30, 2**30, 2], [["tensor", "int64", [3, 1], [0, 1], False], ["tensor", "float64", [1], [0], False]], False], 1.0, 0.5]]
DATA = struct.pack("<qqqd", 2**30 - 1, 2**30 - 1, 1, 1.0)
HEADER = json.dumps([NODE, [24, 8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
