"""Trap: one class gives 0 instead of NaN.

Verdict: wrong_answer.
"""
import numpy as np


def auc_ranks(y_true, score):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("bad lengths")
    y, s = np.asarray(y_true).astype(bool), np.asarray(score)
    p, n = int(y.sum()), int((~y).sum())
    if p == 0 or n == 0:
        return 0.0
    _, run, size = np.unique(s, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(size) - (size - 1) / 2)[run]
    return (float(ranks[y].sum()) - p * (p + 1) / 2) / (p * n)
