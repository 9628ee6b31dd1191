"""attack: nested_beyond_depth
kind: wire
expect: wrong_answer
Lists nested far beyond the limit.
"""

import json
import struct

import grader.wire as wire

NODE = json.loads('["list",[' * 450 + '1.0' + ']]' * 450)
DATA = b""
HEADER = json.dumps([NODE, []]).encode()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
