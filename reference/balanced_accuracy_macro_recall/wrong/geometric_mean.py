"""Trap: the geometric mean of both rates.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr * tnr) ** 0.5
