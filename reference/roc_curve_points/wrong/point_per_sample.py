"""Trap: one point a sample, so that ties make a staircase.

Verdict: wrong_answer.
"""


def roc_points(y_true, score):
    truth, scores = [int(y) for y in y_true], [float(s) for s in score]
    if not truth or len(truth) != len(scores):
        raise ValueError("lengths")
    pos = sum(truth)
    neg = len(truth) - pos
    nan = float("nan")
    tp = fp = 0
    fpr, tpr = [0.0 if neg else nan], [0.0 if pos else nan]
    thresholds = [float("inf")]
    for i in sorted(range(len(scores)), key=lambda i: -scores[i]):
        tp += truth[i]
        fp += 1 - truth[i]
        fpr.append(fp / neg if neg else nan)
        tpr.append(tp / pos if pos else nan)
        thresholds.append(scores[i])
    return fpr, tpr, thresholds
