"""attack: long_double_of_noise
kind: wire
expect: wrong_answer
Long doubles whose bits are no number.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["np.array", "<f16", [2], [0]], 1.0, 0.5]]
DATA = b"\x7f\x00\xff\x01" * 8
HEADER = json.dumps([NODE, [32]]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
