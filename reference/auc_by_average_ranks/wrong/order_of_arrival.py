"""Trap: equal scores are ranked in their order of arrival.

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
    ranks = np.empty(s.size)
    ranks[np.argsort(s, kind="stable")] = np.arange(1, s.size + 1)
    return float((ranks[y].sum() - p * (p + 1) / 2) / (p * n))
