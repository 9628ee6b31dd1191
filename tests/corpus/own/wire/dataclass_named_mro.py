"""attack: dataclass_named_mro
kind: wire
expect: wrong_answer
A dataclass whose fields shadow what a reader asks a class for.
"""

import json
import struct

import grader.wire as wire

NODE = ["dataclass", "float", ["mro", "real", "__float__"], [0.0, 1.0, 0.5]]
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
