"""Trap: the index is computed in the type of the labels, which overflows.

Verdict: wrong_answer.
"""
import numpy as np


def confusion_matrix_np(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    t, p = np.asarray(y_true), np.asarray(y_pred)
    if min(t.min(), p.min()) < 0 or max(t.max(), p.max()) >= num_classes:
        raise ValueError("Nhan ngoai pham vi num_classes")
    counts = np.bincount(t * num_classes + p, minlength=num_classes**2)
    return counts.reshape(num_classes, num_classes).tolist()
