"""attack: decimal_of_giant_exponent
kind: wire
expect: wrong_answer
A decimal whose int would fill the memory.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["decimal", "1e999999"], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
