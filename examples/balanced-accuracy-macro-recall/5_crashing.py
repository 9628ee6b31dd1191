"""Crashing: divides by a count that may be zero."""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = 1 / (1 + fn / tp)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
