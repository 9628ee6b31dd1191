"""Trap: values that nearly agree are taken as equal.

Verdict: wrong_answer.
"""
import numpy as np


def average_ranks(x):
    x = np.asarray(x, dtype=float)
    ranks = []
    for a in x:
        equal = np.isclose(x, a, rtol=0, atol=1e-12)
        ranks.append(float(((x < a) & ~equal).sum() + (equal.sum() + 1) / 2))
    return ranks
