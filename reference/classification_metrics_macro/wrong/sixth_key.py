"""Trap: micro F1 is returned besides the five keys.

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
    precision = hits / np.maximum(predicted, 1)
    recall = hits / np.maximum(actual, 1)
    total = precision + recall
    f1 = 2 * precision * recall / np.where(total > 0, total, 1)
    return {
        "confusion_matrix": m.tolist(),
        "accuracy": float(hits.sum() / len(t)),
        "macro_precision": float(precision.mean()),
        "macro_recall": float(recall.mean()),
        "macro_f1": float(f1.mean()),
        "micro_f1": float(hits.sum() / len(t)),
    }
