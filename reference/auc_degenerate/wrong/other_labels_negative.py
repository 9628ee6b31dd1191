"""Trap: a label that is not 1 counts as negative.

Verdict: wrong_answer.
"""
import numpy as np


def auc_safe(y_true, score, degenerate="nan"):
    if degenerate not in ("nan", "half", "raise"):
        raise ValueError("unknown policy")
    if len(y_true) != len(score):
        raise ValueError("length mismatch")
    y, s = np.asarray(y_true), np.asarray(score, dtype=float)
    if np.isnan(s).any():
        raise ValueError("NaN score")
    pos, neg = s[y == 1], s[y != 1]
    if not len(pos) or not len(neg):
        if degenerate == "raise":
            raise ValueError("AUC undefined: one class")
        return 0.5 if degenerate == "half" else float("nan")
    return float(((pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)).mean())
