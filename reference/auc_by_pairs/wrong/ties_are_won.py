"""Trap: a tie counts as won.

Verdict: wrong_answer.
"""


def auc_pairs(y_true, score):
    if len(y_true) == 0 or len(y_true) != len(score):
        raise ValueError("lengths")
    pos = [float(s) for y, s in zip(y_true, score) if y == 1]
    neg = [float(s) for y, s in zip(y_true, score) if y == 0]
    if not pos or not neg:
        return float("nan")
    won = sum(1.0 if p >= q else 0.0 for p in pos for q in neg)
    return won / (len(pos) * len(neg))
