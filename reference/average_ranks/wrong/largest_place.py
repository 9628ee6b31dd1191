"""Trap: equal values get the largest of their places.

Verdict: wrong_answer.
"""


def average_ranks(x):
    return [float(sum(b <= a for b in x)) for a in x]
