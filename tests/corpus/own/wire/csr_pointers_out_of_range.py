"""attack: csr_pointers_out_of_range
kind: wire
expect: wrong_answer
A compressed sparse tensor whose row pointers run beyond its values.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["sparse", "csr", False, [2, 2], [["tensor", "int64", [3], [0], False], ["tensor", "int64", [1], [0], False], ["tensor", "float64", [1], [0], False]], False], 1.0, 0.5]]
DATA = struct.pack("<qqqqd", 0, 1 << 50, 1, 0, 1.0)
HEADER = json.dumps([NODE, [24, 8, 8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
