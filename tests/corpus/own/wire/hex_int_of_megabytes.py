"""attack: hex_int_of_megabytes
kind: wire
expect: wrong_answer, memory_limit_exceeded
An int of thirty million hexadecimal digits.
"""

import json
import struct

import grader.wire as wire

NODE = ["tuple", [["int", "0x" + "f" * 30_000_000], 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
