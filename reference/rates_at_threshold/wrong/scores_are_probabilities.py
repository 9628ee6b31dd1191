"""Trap: the threshold is clipped to the range of probabilities.

Verdict: wrong_answer.
"""


def rates_at_threshold(y_true, score, thr):
    if len(y_true) == 0 or len(y_true) != len(score):
        raise ValueError("lengths")
    thr = min(max(thr, 0.0), 1.0)
    pairs = list(zip(y_true, score))
    pos = sum(y == 1 for y, _ in pairs)
    neg = len(pairs) - pos
    tp = sum(y == 1 and s >= thr for y, s in pairs)
    fp = sum(y == 0 and s >= thr for y, s in pairs)
    nan = float("nan")
    fpr = fp / neg if neg else nan
    tpr = tp / pos if pos else nan
    return fpr, tpr
