"""Sort once and take each group of equal scores in one step."""

from itertools import groupby


def roc_points(y_true, score):
    if len(y_true) == 0 or len(y_true) != len(score):
        raise ValueError("lengths")
    pairs = sorted(((float(s), int(y)) for y, s in zip(y_true, score)), reverse=True)
    pos = sum(y for _, y in pairs)
    neg = len(pairs) - pos
    tp = fp = 0
    points = [(0, 0, float("inf"))]
    for value, group in groupby(pairs, key=lambda pair: pair[0]):
        labels = [y for _, y in group]
        tp += sum(labels)
        fp += len(labels) - sum(labels)
        points.append((fp, tp, value))
    nan = float("nan")
    fpr = [p[0] / neg if neg else nan for p in points]
    tpr = [p[1] / pos if pos else nan for p in points]
    return fpr, tpr, [p[2] for p in points]
