"""attack: exception_group
kind: report_text
expect: runtime_error
Raises groups of groups of exceptions.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    group = ExceptionGroup(EVIL, [ValueError(EVIL)])
    for _ in range(200):
        group = ExceptionGroup(EVIL, [group, group])
    raise group
