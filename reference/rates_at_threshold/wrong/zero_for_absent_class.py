"""Trap: the rate of an absent class is 0.

Verdict: wrong_answer.
"""


def rates_at_threshold(y_true, score, thr):
    if len(y_true) == 0 or len(y_true) != len(score):
        raise ValueError("lengths")
    pairs = list(zip(y_true, score))
    pos = sum(y == 1 for y, _ in pairs)
    neg = len(pairs) - pos
    tp = sum(y == 1 and s >= thr for y, s in pairs)
    fp = sum(y == 0 and s >= thr for y, s in pairs)
    nan = float("nan")
    fpr = fp / neg if neg else 0.0
    tpr = tp / pos if pos else 0.0
    return fpr, tpr
