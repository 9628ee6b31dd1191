"""attack: traceback_forged
kind: report_text
expect: runtime_error, time_limit_exceeded
Raises an exception whose traceback has no end and whose lines are texts.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


class Step:
    tb_lineno = EVIL
    count = 0

    @property
    def tb_frame(self):
        return self

    f_code = property(lambda self: self)
    co_filename = "<submission>"
    co_name = [EVIL]

    @property
    def tb_next(self):
        Step.count += 1
        return self if Step.count % 1000 else None


class Forged(Exception):
    __traceback__ = Step()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    raise Forged(EVIL)
