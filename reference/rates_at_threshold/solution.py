import math

import numpy as np


def rates_at_threshold(y_true, score, thr):
    """Return the false and the true positive rate at a threshold.

    Args:
        y_true: n labels, 0 or 1.
        score: n real numbers; higher means more likely positive.
        thr: a sample is called positive if its score >= thr; may be infinite.

    Returns:
        (fpr, tpr); nan for a class without samples.

    Raises:
        ValueError: empty, or of unequal lengths.

    Source: definition.
    """
    truth, scores = np.asarray(y_true), np.asarray(score, dtype=np.float64)
    if truth.size == 0 or truth.shape != scores.shape:
        raise ValueError("y_true and score must be non-empty and of equal length")
    called = scores >= thr
    rates = []
    for label in (0, 1):
        members = truth == label
        size = int(members.sum())
        rates.append(int((called & members).sum()) / size if size else math.nan)
    return rates[0], rates[1]
