"""attack: printed_everywhere
kind: report_text
expect: wrong_answer, forbidden
Prints control sequences on both streams, around the capture too.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"

import sys


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    print(EVIL * 50)
    sys.stderr.write(EVIL * 5000)
    sys.stdout.buffer.write(b"\xff\xfe\x00\x1b[2J\x80")
    sys.__stdout__.write(EVIL)
    return -1.0, -1.0, -1.0
