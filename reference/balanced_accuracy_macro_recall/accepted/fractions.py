"""Exact fractions until the end."""

from fractions import Fraction


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    small = Fraction(eps)
    tpr = Fraction(tp) / (tp + fn + small)
    tnr = Fraction(tn) / (tn + fp + small)
    return float(tpr), float(tnr), float((tpr + tnr) / 2)
