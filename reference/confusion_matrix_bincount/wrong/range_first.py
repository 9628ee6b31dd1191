"""Trap: the range is tested before lengths and num_classes.

Verdict: wrong_answer.
"""
import numpy as np


def confusion_matrix_np(y_true, y_pred, num_classes):
    t, p = np.asarray(y_true).astype(int), np.asarray(y_pred).astype(int)
    if ((t < 0) | (t >= num_classes)).any() or ((p < 0) | (p >= num_classes)).any():
        raise ValueError("Nhan ngoai pham vi num_classes")
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    counts = np.bincount(t * num_classes + p, minlength=num_classes**2)
    return counts.reshape(num_classes, num_classes).tolist()
