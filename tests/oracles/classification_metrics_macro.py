import warnings

from sklearn.metrics import accuracy_score, confusion_matrix, precision_recall_fscore_support


def oracle(y_true, y_pred, num_classes):
    labels = list(range(num_classes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a single label seen, though labels are given
        p, r, f, _ = precision_recall_fscore_support(
            y_true, y_pred, labels=labels, average="macro", zero_division=0
        )
        return {
            "confusion_matrix": confusion_matrix(y_true, y_pred, labels=labels).tolist(),
            "accuracy": float(accuracy_score(y_true, y_pred)),
            "macro_precision": float(p),
            "macro_recall": float(r),
            "macro_f1": float(f),
        }
