import math

import numpy as np


def auc_pairs(y_true, score):
    """Return the share of positive-negative pairs that the scores order rightly.

    Args:
        y_true: n labels, 0 or 1.
        score: n finite numbers; higher means more likely positive.

    Returns:
        Pairs won plus half the pairs tied, over all pairs; nan if a class is missing.

    Raises:
        ValueError: empty, or of unequal lengths.

    Source: Mann and Whitney 1947, the U statistic over its largest value.
    """
    truth, scores = np.asarray(y_true), np.asarray(score, dtype=np.float64)
    if truth.size == 0 or truth.shape != scores.shape:
        raise ValueError("y_true and score must be non-empty and of equal length")
    positive, negative = scores[truth == 1], scores[truth == 0]
    pairs = positive.size * negative.size
    if pairs == 0:
        return math.nan
    won = int((positive[:, None] > negative).sum())
    tied = int((positive[:, None] == negative).sum())
    return (won + 0.5 * tied) / pairs
