"""Trap: precision in place of sensitivity.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fp + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, 0.5 * (tpr + tnr)
