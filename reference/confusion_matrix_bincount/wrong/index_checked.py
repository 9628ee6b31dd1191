"""Trap: the combined index is checked in place of the labels.

Verdict: wrong_answer.
"""
import numpy as np


def confusion_matrix_np(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    index = np.asarray(y_true).astype(int) * num_classes + np.asarray(y_pred).astype(int)
    if index.min() < 0 or index.max() >= num_classes**2:
        raise ValueError("Nhan ngoai pham vi num_classes")
    counts = np.bincount(index, minlength=num_classes**2)
    return counts.reshape(num_classes, num_classes).tolist()
