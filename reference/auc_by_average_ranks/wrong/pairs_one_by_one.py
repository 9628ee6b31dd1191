"""Trap: each positive is compared with every negative, O(n^2) steps.

Verdict: time_limit_exceeded.
"""
import numpy as np


def auc_ranks(y_true, score):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("bad lengths")
    y, s = np.asarray(y_true).astype(bool), np.asarray(score)
    pos, neg = s[y], s[~y]
    if pos.size == 0 or neg.size == 0:
        return float("nan")
    won = 0.0
    for a in pos:
        won += np.count_nonzero(neg < a) + 0.5 * np.count_nonzero(neg == a)
    return float(won / (pos.size * neg.size))
