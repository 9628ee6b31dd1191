"""Trap: scores within a fixed distance of each other count as tied.

Verdict: wrong_answer.
"""

import math


def auc_pairs(y_true, score):
    if len(y_true) == 0 or len(y_true) != len(score):
        raise ValueError("lengths")
    pos = [float(s) for y, s in zip(y_true, score) if y == 1]
    neg = [float(s) for y, s in zip(y_true, score) if y == 0]
    if not pos or not neg:
        return float("nan")
    won = sum(0.5 if math.isclose(p, q, rel_tol=0.0, abs_tol=1e-20) else float(p > q) for p in pos for q in neg)
    return won / (len(pos) * len(neg))
