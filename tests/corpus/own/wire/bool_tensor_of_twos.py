"""attack: bool_tensor_of_twos
kind: wire
expect: wrong_answer
Bool elements that are neither true nor false.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["tensor", "bool", [4], [0], False], 1.0, 0.5]]
DATA = b"\x02\xff\x00\x80"
HEADER = json.dumps([NODE, [4]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
