"""attack: syntax_error_attributes
kind: report_text
expect: runtime_error
Raises a SyntaxError with lines, columns and file names of its own.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    error = SyntaxError(EVIL, ("<submission>", 10**20, -5, EVIL * 100, 2, 3))
    error.msg = [EVIL]
    raise error
