"""Trap: the widths are made positive one by one, so x may turn back.

Verdict: wrong_answer.
"""


def auc_trapezoid(x, y):
    x, y = [float(v) for v in x], [float(v) for v in y]
    if len(x) != len(y) or len(x) < 2:
        raise ValueError("lengths")
    steps = [b - a for a, b in zip(x, x[1:])]
    steps = [abs(s) for s in steps]
    sign = -1.0 if any(s < 0 for s in steps) else 1.0
    return sign * sum(s * (a + b) / 2 for s, a, b in zip(steps, y, y[1:]))
