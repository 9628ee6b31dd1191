"""Trap: takes the counts in the order of scikit-learn's flattened matrix.

Verdict: wrong_answer.
"""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tn, fp, fn, tp = tp, tn, fp, fn
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, 0.5 * (tpr + tnr)
