"""attack: record_posing_as_tuple
kind: wire
expect: wrong_answer
A namedtuple called `tuple` with sample values.
"""

import json
import struct

import grader.wire as wire

NODE = ["record", "tuple", ["a", "b", "c"], [0.0, 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
