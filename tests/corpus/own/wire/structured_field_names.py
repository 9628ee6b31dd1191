"""attack: structured_field_names
kind: wire
expect: wrong_answer
A structured array with the same field name twice.
"""

import json
import struct

import grader.wire as wire

COLUMN = ["a", ["np.array", "<f8", [1], [0]]]
HEADER = json.dumps([["tuple", [["np.structured", [1], [0], [COLUMN, COLUMN]], 1.0, 0.5]], [8, 8]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + bytes(16)
    return -1.0, -1.0, -1.0
