"""Trap: distinct scores are numbered one after another, whatever their counts.

Verdict: wrong_answer.
"""
import numpy as np


def auc_ranks(y_true, score):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("bad lengths")
    y, s = np.asarray(y_true).astype(bool), np.asarray(score)
    p, n = int(y.sum()), int((~y).sum())
    if p == 0 or n == 0:
        return float("nan")
    ranks = np.unique(s, return_inverse=True)[1] + 1
    return float((ranks[y].sum() - p * (p + 1) / 2) / (p * n))
