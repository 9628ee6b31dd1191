"""Exact fractions, rounded once at the end."""

from fractions import Fraction


def oracle(tp, tn, fp, fn, eps=1e-12):
    """Return the rates and their mean from exact arithmetic."""
    small = Fraction(eps)
    tpr = Fraction(tp) / (Fraction(tp) + Fraction(fn) + small)
    tnr = Fraction(tn) / (Fraction(tn) + Fraction(fp) + small)
    return float(tpr), float(tnr), float((tpr + tnr) / 2)
