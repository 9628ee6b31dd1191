import numpy as np


def confusion_matrix_np(y_true, y_pred, num_classes):
    t, p = np.array(y_true), np.array(y_pred)
    if t.shape != p.shape or t.size == 0 or num_classes < 1:
        raise ValueError("Tham so khong hop le")
    both = np.concatenate([t, p]).astype(int)
    if ((both < 0) | (both > num_classes - 1)).any():
        raise ValueError("Nhan ngoai pham vi num_classes")
    table = np.zeros((num_classes, num_classes), dtype=int)
    np.add.at(table, (t, p), 1)
    return [list(row) for row in table]
