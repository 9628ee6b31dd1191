"""attack: str_is_no_text
kind: report_text
expect: runtime_error
Raises exceptions whose text is none, raises again, or is a subclass that lies.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


class Text(str):
    def __getitem__(self, key):
        raise SystemExit

    def __str__(self):
        raise KeyboardInterrupt


class Odd(Exception):
    def __init__(self, how):
        self.how = how

    def __str__(self):
        return {0: lambda: 7, 50: lambda: Text(EVIL), 40: lambda: str(self)}.get(self.how, exit_now)()


def exit_now():
    raise SystemExit(0)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    raise Odd(tp)
