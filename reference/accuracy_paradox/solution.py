import math

import numpy as np


def accuracy_paradox(y_true, y_pred):
    """Compare a classifier with always guessing the commoner class.

    Args:
        y_true: n true labels, 0 or 1.
        y_pred: n predicted labels, 0 or 1.

    Returns:
        accuracy, majority_rate, recall_neg, recall_pos, balanced_accuracy (floats)
        and beats_majority (bool).

    Raises:
        ValueError: empty, unequal lengths, or a label other than 0 and 1.

    Source: definition; the flag is decided on integer counts.
    """
    truth, guess = np.asarray(y_true), np.asarray(y_pred)
    if truth.size == 0 or truth.shape != guess.shape:
        raise ValueError("y_true and y_pred must be non-empty and of equal length")
    if not (np.isin(truth, (0, 1)).all() and np.isin(guess, (0, 1)).all()):
        raise ValueError("labels must be 0 or 1")
    n = truth.size
    sizes = [int((truth == label).sum()) for label in (0, 1)]
    hits = [int(((truth == label) & (guess == label)).sum()) for label in (0, 1)]
    recalls = [hit / size if size else math.nan for hit, size in zip(hits, sizes)]
    seen = [recall for recall, size in zip(recalls, sizes) if size]
    return {
        "accuracy": sum(hits) / n,
        "majority_rate": max(sizes) / n,
        "recall_neg": recalls[0],
        "recall_pos": recalls[1],
        "balanced_accuracy": sum(seen) / len(seen),
        "beats_majority": sum(hits) > max(sizes),
    }
