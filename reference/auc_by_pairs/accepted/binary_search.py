"""Plain Python: sort the negatives and search each positive among them."""

from bisect import bisect_left, bisect_right


def auc_pairs(y_true, score):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("lengths")
    positive = [float(s) for y, s in zip(y_true, score) if y]
    negative = sorted(float(s) for y, s in zip(y_true, score) if not y)
    if not positive or not negative:
        return float("nan")
    twice = sum(bisect_left(negative, s) + bisect_right(negative, s) for s in positive)
    return twice / (2 * len(positive) * len(negative))
