"""attack: class_name
kind: report_text
expect: wrong_answer, runtime_error
Returns an object whose class has a name of control sequences.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return type(EVIL.replace("\0", "").replace("\ud800", ""), (), {})(), 1.0, 0.5
