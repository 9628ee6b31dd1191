"""Trap: an error for an empty list, which has ranks like any other: none.

Verdict: runtime_error.
"""


def average_ranks(x):
    values = list(x)
    lowest = min(values)
    ranks = []
    for value in values:
        below = sum(other < value for other in values)
        ties = sum(other == value for other in values)
        ranks.append(float(below + (ties + 1) / 2))
    return ranks if lowest <= max(values) else []
