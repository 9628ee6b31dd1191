import numpy as np


def confusion_matrix_np(y_true: list, y_pred: list, num_classes: int) -> list[list[int]]:
    """Return the confusion matrix; rows are true classes, columns predicted ones.

    Raises:
        ValueError: unequal lengths, no labels or no classes; then labels out of range.

    Source: definition.
    """
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    truth, guess = labels = np.array([y_true, y_pred], dtype=np.int64)
    if labels.min() < 0 or labels.max() >= num_classes:
        raise ValueError("Nhan ngoai pham vi num_classes")
    counts = np.bincount(truth * num_classes + guess, minlength=num_classes * num_classes)
    return counts.reshape(num_classes, num_classes).tolist()
