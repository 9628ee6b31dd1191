"""Trap: micro averages, which all equal the accuracy.

Verdict: wrong_answer.
"""
import numpy as np


def compute_classification_metrics(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    t, p = np.asarray(y_true).astype(int), np.asarray(y_pred).astype(int)
    if min(t.min(), p.min()) < 0 or max(t.max(), p.max()) >= num_classes:
        raise ValueError("Nhan ngoai pham vi num_classes")
    m = np.bincount(t * num_classes + p, minlength=num_classes**2).reshape(num_classes, num_classes)
    hits, predicted, actual = np.diag(m), m.sum(0), m.sum(1)
    micro = float(hits.sum() / len(t))
    return {
        "confusion_matrix": m.tolist(),
        "accuracy": float(hits.sum() / len(t)),
        "macro_precision": micro,
        "macro_recall": micro,
        "macro_f1": micro,
    }
