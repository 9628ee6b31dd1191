"""NumPy: sort the scores of a class and search for the threshold."""

import numpy as np


def rates_at_threshold(y_true, score, thr):
    truth, scores = np.array(y_true), np.array(score, dtype=float)
    if len(truth) == 0 or len(truth) != len(scores):
        raise ValueError("lengths")

    def share(values):
        if len(values) == 0:
            return np.nan
        below = np.searchsorted(np.sort(values), thr, side="left")
        return (len(values) - below) / len(values)

    return share(scores[truth == 0]), share(scores[truth == 1])
