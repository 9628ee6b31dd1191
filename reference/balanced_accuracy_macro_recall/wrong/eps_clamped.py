"""Trap: the denominator is clamped from below in place of adding eps.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / max(tp + fn, eps)
    tnr = tn / max(tn + fp, eps)
    return tpr, tnr, 0.5 * (tpr + tnr)
