"""Trap: a table of all pairs, O(n^2) memory.

Verdict: memory_limit_exceeded.
"""
import numpy as np


def auc_ranks(y_true, score):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("bad lengths")
    y, s = np.asarray(y_true).astype(bool), np.asarray(score)
    pos, neg = s[y], s[~y]
    if pos.size == 0 or neg.size == 0:
        return float("nan")
    return float(((pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)).mean())
