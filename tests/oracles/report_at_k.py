import warnings

import numpy as np
from sklearn.metrics import precision_recall_fscore_support


def oracle(y_true, y_pred, k, digs=2):
    first = [{int(label) for label in list(ranked)[:k]} for ranked in y_pred]
    truth = [int(label) for label in y_true]
    labels = sorted(set(truth).union(*first))
    # A last column of zeros, left out below: scikit-learn takes one column for a binary vector.
    true_rows = np.array([[int(t == c) for c in labels] + [0] for t in truth])
    predicted_rows = np.array([[int(c in s) for c in labels] + [0] for s in first])

    def scores(average):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return precision_recall_fscore_support(
                true_rows,
                predicted_rows,
                labels=list(range(len(labels))),
                average=average,
                zero_division=0,
            )

    text = f"\tprecision@{k}\trecall@{k}\tf1_score@{k}\tsupport\n"
    for c, p, r, f, s in zip(labels, *scores(None), strict=False):
        text += f"{c}\t{p:.{digs}f}\t{r:.{digs}f}\t{f:.{digs}f}\t{s}\n"
    for average in ("macro", "weighted"):
        p, r, f, _ = scores(average)
        text += f"{average} avg\t{p:.{digs}f}\t{r:.{digs}f}\t{f:.{digs}f}\t{len(truth)}\n"
    return text[:-1]
