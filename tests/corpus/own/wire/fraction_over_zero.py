"""attack: fraction_over_zero
kind: wire
expect: wrong_answer
A fraction with a denominator of zero.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["fraction", "0x1", "0x0"], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
