"""attack: field_names
kind: report_text
expect: wrong_answer, runtime_error
Returns a namedtuple and a dataclass with fields of foreign letters.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"

from collections import namedtuple


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    kind = namedtuple("\u0627\u0644", ["\u05d0", "\ufb01eld", "x\u0301" * 50])
    kind.__name__ = EVIL.replace("\0", "").replace("\ud800", "")
    return kind(0.0, 1.0, 0.5)
