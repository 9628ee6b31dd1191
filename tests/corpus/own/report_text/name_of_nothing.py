"""attack: name_of_nothing
kind: report_text
expect: invalid_submission, runtime_error
Defines near misses of the entry point with names of control sequences.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"


def near():
    pass


near.__module__ = "submission"
globals()[EVIL] = near
globals()["balanced_accuracy_binary" + "\u200b"] = near
