import numpy as np


def compute_classification_metrics(y_true: list, y_pred: list, num_classes: int) -> dict:
    """Return confusion matrix, accuracy and macro precision, recall and F1.

    Raises:
        ValueError: unequal lengths, no labels or no classes; then labels out of range.

    Source: definition (per-class ratios, 0 for 0/0, plain mean over all classes).
    """
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    truth, guess = labels = np.array([y_true, y_pred], dtype=np.int64)
    if labels.min() < 0 or labels.max() >= num_classes:
        raise ValueError("Nhan ngoai pham vi num_classes")
    counts = np.bincount(truth * num_classes + guess, minlength=num_classes * num_classes)
    matrix = counts.reshape(num_classes, num_classes)

    # Where a count is zero the hits are zero too, so dividing by 1 gives the 0 that is wanted.
    hits = np.diag(matrix)
    precision = hits / matrix.sum(axis=0).clip(1)
    recall = hits / matrix.sum(axis=1).clip(1)
    total = precision + recall
    f1 = 2 * precision * recall / np.where(total > 0, total, 1)
    return {
        "confusion_matrix": matrix.tolist(),
        "accuracy": float(hits.sum() / len(truth)),
        "macro_precision": float(precision.mean()),
        "macro_recall": float(recall.mean()),
        "macro_f1": float(f1.mean()),
    }
