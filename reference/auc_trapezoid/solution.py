import numpy as np


def auc_trapezoid(x, y):
    """Return the area under the polyline through the points (x, y).

    Args:
        x: n >= 2 abscissas that never rise and fall both; they may repeat.
        y: n ordinates.

    Returns:
        The area, counted from left to right whichever way x runs.

    Raises:
        ValueError: unequal lengths, fewer than two points, or x not monotone.

    Source: trapezoidal rule.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if xs.shape != ys.shape or xs.size < 2:
        raise ValueError("x and y must have the same length, at least 2")
    widths = np.diff(xs)
    falls = bool((widths < 0).any())
    if falls and (widths > 0).any():
        raise ValueError("x must be monotone")
    area = float((widths * (ys[1:] + ys[:-1]) / 2).sum())
    return -area if falls else area
