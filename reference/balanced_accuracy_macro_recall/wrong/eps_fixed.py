"""Trap: the parameter eps is ignored in favour of its default.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + 1e-12)
    tnr = tn / (tn + fp + 1e-12)
    return tpr, tnr, 0.5 * (tpr + tnr)
