"""attack: function_name_in_traceback
kind: report_text
expect: runtime_error
Raises from a function whose code has a name of control sequences.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


def fail():
    raise ValueError(EVIL)


fail.__code__ = fail.__code__.replace(co_name=EVIL.replace("\ud800", "") * 100)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    fail()
