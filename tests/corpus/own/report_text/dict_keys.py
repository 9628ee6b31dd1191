"""attack: dict_keys
kind: report_text
expect: wrong_answer
Returns a mapping whose keys are control sequences.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return {EVIL: 0.5, EVIL * 1000: {EVIL: EVIL}, (EVIL,): EVIL.encode("utf-8", "surrogatepass")}
