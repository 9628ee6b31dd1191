"""Trap: specificity before sensitivity.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tnr, tpr, 0.5 * (tpr + tnr)
