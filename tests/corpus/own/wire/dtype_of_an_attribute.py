"""attack: dtype_of_an_attribute
kind: wire
expect: wrong_answer
A dtype whose name is some attribute of torch.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["torch.dtype", "hub.load"], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
