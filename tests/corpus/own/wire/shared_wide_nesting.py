"""attack: shared_wide_nesting
kind: wire
expect: wrong_answer, output_limit_exceeded
Sixty levels of pairs, a million parts in all.
"""

import json
import struct

import grader.wire as wire

v = 0.5
for _ in range(19):
    v = ["tuple", [v, v]]

NODE = v
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
