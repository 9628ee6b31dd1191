"""attack: deep_class_tree
kind: report_text
expect: runtime_error
Raises an exception that derives from two thousand classes.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"

kind = Exception
for number in range(2000):
    kind = type(f"E{number}\u202e", (kind,), {})


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    raise kind(EVIL)
