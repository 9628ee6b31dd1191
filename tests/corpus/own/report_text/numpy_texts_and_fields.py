"""attack: numpy_texts_and_fields
kind: report_text
expect: wrong_answer, runtime_error
Returns a structured array whose fields and elements are control sequences.
"""

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\x00\r\x9b31m[bold]<script>\ud800\u2028"

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    name = EVIL.replace("\ud800", "")
    kind = np.dtype([(name, "U40"), (name + "2", "S40")])
    return np.array([(name, b"\x1b[2J")], dtype=kind), np.array([name]), 0.5
