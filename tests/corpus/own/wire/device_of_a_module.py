"""attack: device_of_a_module
kind: wire
expect: wrong_answer
A device whose name a library would import.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["torch.device", "privateuseone:999"], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
