"""Trap: the argsort itself is taken for the places before ties are averaged.

Verdict: wrong_answer.
"""
import numpy as np


def average_ranks(x):
    x = np.asarray(x, dtype=float)
    places = np.argsort(x, kind="stable") + 1
    return [float(np.mean(places[x == a])) for a in x]
