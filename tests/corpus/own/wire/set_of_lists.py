"""attack: set_of_lists
kind: wire
expect: wrong_answer
A set whose members have no hash.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["set", [["list", [1]], ["dict", []]]], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
