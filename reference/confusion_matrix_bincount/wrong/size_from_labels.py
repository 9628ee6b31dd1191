"""Trap: the table has the classes that occur only.

Verdict: wrong_answer.
"""
import numpy as np


def confusion_matrix_np(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    t, p = np.asarray(y_true).astype(int), np.asarray(y_pred).astype(int)
    if min(t.min(), p.min()) < 0 or max(t.max(), p.max()) >= num_classes:
        raise ValueError("Nhan ngoai pham vi num_classes")
    c = int(max(t.max(), p.max())) + 1
    return np.bincount(t * c + p, minlength=c * c).reshape(c, c).tolist()
