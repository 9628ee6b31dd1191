"""Trap: eps is added once more when the two rates are averaged.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / (2 + eps)
