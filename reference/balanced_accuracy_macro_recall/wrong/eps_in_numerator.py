"""Trap: eps is added above and below, so an empty class gets rate 1.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = (tp + eps) / (tp + fn + eps)
    tnr = (tn + eps) / (tn + fp + eps)
    return tpr, tnr, 0.5 * (tpr + tnr)
