"""attack: decimal_signalling
kind: wire
expect: wrong_answer
A signalling NaN, which raises when it is compared.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["decimal", "sNaN123"], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
