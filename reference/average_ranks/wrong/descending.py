"""Trap: the largest value gets rank 1.

Verdict: wrong_answer.
"""


def average_ranks(x):
    return [sum(b > a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]
