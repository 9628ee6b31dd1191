"""attack: datetime64_units
kind: wire
expect: wrong_answer
Dates whose unit is a thousand million years.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["np.array", "<M8[1000000000Y]", [1], [0]], 1.0, 0.5]]
DATA = b"\xff" * 7 + b"\x7f"
HEADER = json.dumps([NODE, [8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
