"""Trap: equal values get the smallest of their places.

Verdict: wrong_answer.
"""


def average_ranks(x):
    return [float(sum(b < a for b in x) + 1) for a in x]
