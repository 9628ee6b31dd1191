"""scikit-learn's confusion matrix of the thresholded scores."""

import math

import numpy as np
from sklearn.metrics import confusion_matrix


def oracle(y_true, score, thr):
    """Return (fpr, tpr) from the four cells."""
    called = (np.asarray(score) >= thr).astype(int)
    tn, fp, fn, tp = confusion_matrix(y_true, called, labels=[0, 1]).ravel().tolist()
    fpr = fp / (fp + tn) if fp + tn else math.nan
    tpr = tp / (tp + fn) if tp + fn else math.nan
    return fpr, tpr
