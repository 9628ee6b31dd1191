import warnings

import numpy as np
from sklearn.metrics import precision_recall_fscore_support


def oracle(y_true, y_pred, k):
    first = [{int(label) for label in list(ranked)[:k]} for ranked in y_pred]
    truth = [int(label) for label in y_true]
    labels = sorted(set(truth).union(*first))
    true_rows = np.array([[int(t == c) for c in labels] for t in truth])
    predicted_rows = np.array([[int(c in s) for c in labels] for s in first])
    if len(labels) == 1:  # scikit-learn takes one column for a vector of binary labels
        true_rows = np.hstack([true_rows, np.zeros_like(true_rows)])
        predicted_rows = np.hstack([predicted_rows, np.zeros_like(predicted_rows)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p, r, f, s = precision_recall_fscore_support(
            true_rows, predicted_rows, average=None, zero_division=0
        )
    return [(c, float(p[i]), float(r[i]), float(f[i]), int(s[i])) for i, c in enumerate(labels)]
