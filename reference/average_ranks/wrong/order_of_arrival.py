"""Trap: equal values are ranked in their order of arrival.

Verdict: wrong_answer.
"""
import numpy as np


def average_ranks(x):
    order = np.argsort(np.asarray(x, dtype=float), kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks.tolist()
