"""attack: text_of_no_code_points
kind: wire
expect: wrong_answer
Unicode elements beyond the last code point.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["np.array", "<U1", [2], [0]], 1.0, 0.5]]
DATA = b"\xff" * 8
HEADER = json.dumps([NODE, [8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
