"""Trap: points inside a straight line are dropped, as scikit-learn does by default.

Verdict: wrong_answer.
"""


def roc_points(y_true, score):
    truth, scores = [int(y) for y in y_true], [float(s) for s in score]
    if not truth or len(truth) != len(scores):
        raise ValueError("lengths")
    thresholds = sorted(set(scores), reverse=True)
    thresholds = [float("inf")] + thresholds
    pos = sum(truth)
    neg = len(truth) - pos
    nan = float("nan")
    fpr, tpr = [], []
    for thr in thresholds:
        fp = sum(y == 0 and s >= thr for y, s in zip(truth, scores))
        tp = sum(y == 1 and s >= thr for y, s in zip(truth, scores))
        fpr.append(fp / neg if neg else nan)
        tpr.append(tp / pos if pos else nan)
    keep = [
        i
        for i in range(len(fpr))
        if i in (0, len(fpr) - 1)
        or (fpr[i + 1] - fpr[i]) * (tpr[i] - tpr[i - 1])
        != (fpr[i] - fpr[i - 1]) * (tpr[i + 1] - tpr[i])
    ]
    return [fpr[i] for i in keep], [tpr[i] for i in keep], [thresholds[i] for i in keep]
