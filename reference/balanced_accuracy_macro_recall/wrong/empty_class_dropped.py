"""Trap: an empty class is dropped and the other rate returned as the mean.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    if tp + fn == 0:
        return tpr, tnr, tnr
    if tn + fp == 0:
        return tpr, tnr, tpr
    return tpr, tnr, 0.5 * (tpr + tnr)
