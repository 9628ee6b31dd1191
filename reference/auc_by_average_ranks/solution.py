import numpy as np


def auc_ranks(y_true: list, score: list) -> float:
    """Return the area under the ROC curve, computed from average ranks.

    With R the sum of the positives' ranks, the area is (R - P (P + 1) / 2) / (P N).

    Source: Hanley and McNeil (1982), the Wilcoxon statistic with mid-ranks.
    """
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("y_true and score must be non-empty and of equal length")
    positive = np.asarray(y_true) == 1
    positives = int(positive.sum())
    negatives = len(positive) - positives
    if positives == 0 or negatives == 0:
        return float("nan")
    _, run, size = np.unique(np.asarray(score), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(size) - (size - 1) / 2)[run]
    rank_sum = float(ranks[positive].sum())
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)
