"""Trap: a score close to the threshold counts as equal to it.

Verdict: wrong_answer.
"""

import math


def rates_at_threshold(y_true, score, thr):
    if len(y_true) == 0 or len(y_true) != len(score):
        raise ValueError("lengths")
    called = [s > thr or math.isclose(s, thr) for s in score]
    rates = []
    for label in (0, 1):
        answers = [c for y, c in zip(y_true, called) if y == label]
        rates.append(sum(answers) / len(answers) if answers else math.nan)
    return tuple(rates)
