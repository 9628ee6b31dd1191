import warnings

import numpy as np
from sklearn.metrics import precision_recall_fscore_support


def oracle(y_true, y_pred, k):
    first = [{int(label) for label in list(ranked)[:k]} for ranked in y_pred]
    truth = [int(label) for label in y_true]
    labels = sorted(set(truth).union(*first))
    # A last column of zeros, left out below: scikit-learn takes one column for a binary vector.
    true_rows = np.array([[int(t == c) for c in labels] + [0] for t in truth])
    predicted_rows = np.array([[int(c in s) for c in labels] + [0] for s in first])
    averages = {}
    for average in ("macro", "weighted"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            p, r, f, _ = precision_recall_fscore_support(
                true_rows,
                predicted_rows,
                labels=list(range(len(labels))),
                average=average,
                zero_division=0,
            )
        averages[average] = (float(p), float(r), float(f))
    return averages
