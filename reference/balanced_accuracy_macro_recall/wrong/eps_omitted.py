"""Trap: eps is left out; an empty class is guarded by a test instead.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn) if tp + fn else 0.0
    tnr = tn / (tn + fp) if tn + fp else 0.0
    return tpr, tnr, 0.5 * (tpr + tnr)
