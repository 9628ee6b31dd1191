"""Trap: the ranks come in ascending order of the values.

Verdict: wrong_answer.
"""
import numpy as np


def average_ranks(x):
    x = np.sort(np.asarray(x, dtype=float))
    return [float((x < a).sum() + ((x == a).sum() + 1) / 2) for a in x]
