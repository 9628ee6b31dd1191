"""attack: record_named_class
kind: wire
expect: wrong_answer
A record whose fields are names that Python gives a meaning.
"""

import json
import struct

import grader.wire as wire

NODE = ["record", "__class__", ["__class__", "__eq__", "__array_priority__"], [0.0, 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
