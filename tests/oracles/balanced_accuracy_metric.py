"""scikit-learn on all batches joined."""

import math
import warnings

import numpy as np
import torch
from sklearn.metrics import balanced_accuracy_score, confusion_matrix


def oracle(script):
    """Return what probe returns; batches are joined as lists and scored from scratch."""
    settings, seen, results = {}, {}, []
    for act, name, *args in script:
        if act == "new":
            settings[name], seen[name] = args, ([], [])
        elif act in ("update", "call"):
            guess, truth = decided(args[0].numpy(), settings[name][1]), args[1].numpy()
            seen[name][0].extend(np.ravel(guess).tolist())
            seen[name][1].extend(np.ravel(truth).tolist())
            if act == "call":
                results.append(score(np.ravel(truth), np.ravel(guess), settings[name][2]))
        elif act == "compute":
            results.append(score(seen[name][1], seen[name][0], settings[name][2]))
        elif act == "confmat":
            labels = list(range(settings[name][0]))
            if seen[name][0]:
                matrix = confusion_matrix(seen[name][1], seen[name][0], labels=labels)
            else:
                matrix = np.zeros((len(labels), len(labels)), dtype=np.int64)
            results.append(torch.from_numpy(matrix.astype(np.int64)))
        elif act == "reset":
            seen[name] = ([], [])
    return results


def decided(preds, task):
    """Turn scores into labels."""
    if preds.dtype.kind != "f":
        return preds
    return (preds > 0.5).astype(int) if task == "binary" else np.argmax(preds, axis=1)


def score(truth, guess, adjusted):
    """Return scikit-learn's value where the contract agrees with it, else nan."""
    classes = len(set(np.asarray(truth).tolist()))
    if classes == 0 or (adjusted and classes == 1):
        return math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(balanced_accuracy_score(truth, guess, adjusted=bool(adjusted)))
