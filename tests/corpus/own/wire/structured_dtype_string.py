"""attack: structured_dtype_string
kind: wire
expect: wrong_answer
A dtype string that describes a structure with pointers.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["np.array", "i4,O,(2,)f8", [1], [0]], 1.0, 0.5]]
DATA = b"A" * 28
HEADER = json.dumps([NODE, [28]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
