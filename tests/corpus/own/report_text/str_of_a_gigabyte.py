"""attack: str_of_a_gigabyte
kind: report_text
expect: runtime_error, memory_limit_exceeded, time_limit_exceeded
Raises an exception whose text is as large as memory allows.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


class Loud(Exception):
    def __str__(self):
        return "\u202e" * (400 << 20)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    raise Loud
