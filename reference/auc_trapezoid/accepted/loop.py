"""Plain Python: a loop over the strips."""


def auc_trapezoid(x, y):
    if len(x) != len(y) or len(x) < 2:
        raise ValueError("lengths")
    area, directions = 0.0, set()
    for i in range(1, len(x)):
        width = float(x[i]) - float(x[i - 1])
        if width:
            directions.add(width > 0)
        area += width * (float(y[i]) + float(y[i - 1])) / 2
    if len(directions) == 2:
        raise ValueError("x must be monotone")
    return area if True in directions else -area
