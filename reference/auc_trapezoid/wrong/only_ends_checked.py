"""Trap: only the first and the last x decide the direction.

Verdict: wrong_answer.
"""


def auc_trapezoid(x, y):
    x, y = [float(v) for v in x], [float(v) for v in y]
    if len(x) != len(y) or len(x) < 2:
        raise ValueError("lengths")
    steps = [b - a for a, b in zip(x, x[1:])]
    sign = -1.0 if x[-1] < x[0] else 1.0
    return sign * sum(s * (a + b) / 2 for s, a, b in zip(steps, y, y[1:]))
