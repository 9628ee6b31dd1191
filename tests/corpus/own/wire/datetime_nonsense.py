"""attack: datetime_nonsense
kind: wire
expect: wrong_answer
Dates with offsets of years and a fold of 7.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["datetime", "2024-01-01T25:61:61", 1e300, 7], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
