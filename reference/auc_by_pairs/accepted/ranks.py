"""NumPy: the sum of the average ranks of the positives."""

import numpy as np


def auc_pairs(y_true, score):
    truth, scores = np.array(y_true), np.array(score, dtype=float)
    if len(truth) == 0 or len(truth) != len(scores):
        raise ValueError("lengths")
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    pos = int((truth == 1).sum())
    neg = len(truth) - pos
    if not pos or not neg:
        return np.nan
    return (ranks[truth == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)
