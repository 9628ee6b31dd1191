"""scikit-learn's scores, and its majority classifier."""

import math
import warnings

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score, recall_score


def oracle(y_true, y_pred):
    """Return the six entries; the flag from whole counts of correct predictions."""
    truth, guess = np.asarray(y_true), np.asarray(y_pred)
    rows = np.zeros((len(truth), 1))
    dummy = DummyClassifier(strategy="most_frequent").fit(rows, truth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        recalls = [
            float(recall_score(truth, guess, pos_label=c, zero_division=math.nan)) for c in (0, 1)
        ]
        balanced = float(balanced_accuracy_score(truth, guess))
    right = accuracy_score(truth, guess, normalize=False)
    return {
        "accuracy": float(accuracy_score(truth, guess)),
        "majority_rate": float(dummy.score(rows, truth)),
        "recall_neg": recalls[0],
        "recall_pos": recalls[1],
        "balanced_accuracy": balanced,
        "beats_majority": bool(int(right) > int(np.bincount(truth).max())),
    }
