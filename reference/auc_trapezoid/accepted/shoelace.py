"""Exact fractions and the shoelace formula, closed over the horizontal axis."""

from fractions import Fraction


def auc_trapezoid(x, y):
    if len(x) != len(y) or len(x) < 2:
        raise ValueError("lengths")
    xs = [Fraction(float(v)) for v in x]
    ys = [Fraction(float(v)) for v in y]
    if xs == sorted(xs):
        sign = 1
    elif xs == sorted(xs, reverse=True):
        sign = -1
    else:
        raise ValueError("x must be monotone")
    corners = list(zip(xs, ys)) + [(xs[-1], Fraction(0)), (xs[0], Fraction(0))]
    twice = sum(
        b[0] * a[1] - a[0] * b[1] for a, b in zip(corners, corners[1:] + corners[:1])
    )
    return float(sign * twice / 2)
