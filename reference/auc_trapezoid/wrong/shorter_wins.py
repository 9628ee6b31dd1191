"""Trap: unequal lengths are cut to the shorter one.

Verdict: wrong_answer.
"""


def auc_trapezoid(x, y):
    x, y = [float(v) for v in x], [float(v) for v in y]
    x, y = x[: len(y)], y[: len(x)]
    if len(x) < 2:
        raise ValueError("lengths")
    steps = [b - a for a, b in zip(x, x[1:])]
    if any(s < 0 for s in steps) and any(s > 0 for s in steps):
        raise ValueError("x must be monotone")
    sign = -1.0 if any(s < 0 for s in steps) else 1.0
    return sign * sum(s * (a + b) / 2 for s, a, b in zip(steps, y, y[1:]))
