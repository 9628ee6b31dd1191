"""attack: object_dtype_string
kind: wire
expect: wrong_answer
A dtype whose elements would be pointers of the reader.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["np.array", "|O8", [2], [0]], 1.0, 0.5]]
DATA = b"A" * 16
HEADER = json.dumps([NODE, [16]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
