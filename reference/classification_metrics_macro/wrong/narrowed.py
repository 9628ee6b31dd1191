"""Trap: labels are narrowed to 32 bits before their range is tested, so that large ones wrap into it.

Verdict: wrong_answer.
"""

import numpy as np


def compute_classification_metrics(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    truth = np.asarray(y_true).astype(np.int32)
    guess = np.asarray(y_pred).astype(np.int32)
    for labels in (truth, guess):
        if (labels < 0).any() or (labels >= num_classes).any():
            raise ValueError("Nhan ngoai pham vi num_classes")
    matrix = np.zeros((num_classes, num_classes), dtype=np.int64)
    np.add.at(matrix, (truth, guess), 1)
    hits = np.diag(matrix)
    predicted, actual = matrix.sum(axis=0), matrix.sum(axis=1)
    return {
        "confusion_matrix": matrix.tolist(),
        "accuracy": float(hits.sum() / len(truth)),
        "macro_precision": float((hits / np.maximum(predicted, 1)).mean()),
        "macro_recall": float((hits / np.maximum(actual, 1)).mean()),
        "macro_f1": float((2 * hits / np.maximum(predicted + actual, 1)).mean()),
    }
