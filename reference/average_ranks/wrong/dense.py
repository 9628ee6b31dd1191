"""Trap: distinct values are numbered one after another, whatever their counts.

Verdict: wrong_answer.
"""


def average_ranks(x):
    distinct = sorted(set(float(a) for a in x))
    return [float(distinct.index(a) + 1) for a in x]
