"""Trap: the first threshold is the highest score plus one.

Verdict: wrong_answer.
"""


def roc_points(y_true, score):
    truth, scores = [int(y) for y in y_true], [float(s) for s in score]
    if not truth or len(truth) != len(scores):
        raise ValueError("lengths")
    thresholds = sorted(set(scores), reverse=True)
    thresholds = [thresholds[0] + 1] + thresholds
    pos = sum(truth)
    neg = len(truth) - pos
    nan = float("nan")
    fpr, tpr = [], []
    for thr in thresholds:
        fp = sum(y == 0 and s >= thr for y, s in zip(truth, scores))
        tp = sum(y == 1 and s >= thr for y, s in zip(truth, scores))
        fpr.append(fp / neg if neg else nan)
        tpr.append(tp / pos if pos else nan)
    return fpr, tpr, thresholds
