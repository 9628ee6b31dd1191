"""Trap: the points are sorted by x, so x may turn back.

Verdict: wrong_answer.
"""


def auc_trapezoid(x, y):
    if len(x) != len(y) or len(x) < 2:
        raise ValueError("lengths")
    points = sorted(zip(map(float, x), map(float, y)))
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(points, points[1:]))
