import math

import numpy as np


def roc_points(y_true, score):
    """Return the points of the ROC curve and their thresholds.

    Args:
        y_true: n labels, 0 or 1.
        score: n finite numbers; higher means more likely positive.

    Returns:
        (fpr, tpr, thresholds), three lists of floats, one entry for the threshold
        infinity and one for each distinct score, descending; the rates of a class
        without samples are nan.

    Raises:
        ValueError: empty, or of unequal lengths.

    Source: Fawcett 2006, An introduction to ROC analysis, algorithm 1.
    """
    truth, scores = np.asarray(y_true), np.asarray(score, dtype=np.float64)
    if truth.size == 0 or truth.shape != scores.shape:
        raise ValueError("y_true and score must be non-empty and of equal length")
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], truth[order] == 1
    last_of_run = np.append(scores[1:] != scores[:-1], True)
    tp = np.cumsum(positive)[last_of_run].tolist()
    fp = np.cumsum(~positive)[last_of_run].tolist()
    pos, neg = tp[-1], fp[-1]
    tpr = [count / pos if pos else math.nan for count in [0, *tp]]
    fpr = [count / neg if neg else math.nan for count in [0, *fp]]
    return fpr, tpr, [math.inf, *scores[last_of_run].tolist()]
