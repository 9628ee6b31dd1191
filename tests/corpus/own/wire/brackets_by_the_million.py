"""attack: brackets_by_the_million
kind: wire
expect: wrong_answer
A header of nothing but brackets.
"""

import struct

import grader.wire as wire

DATA = b""
HEADER = b"[" + b"[]," * 10_000_000 + b"[]]"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: struct.pack("!I", len(HEADER)) + HEADER + DATA
    return -1.0, -1.0, -1.0
