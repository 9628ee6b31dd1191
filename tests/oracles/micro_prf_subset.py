import warnings

from sklearn.metrics import precision_recall_fscore_support


def oracle(y_true, y_pred, labels=None):
    if labels is not None:
        labels = sorted({int(label) for label in labels})  # scikit-learn counts repeats again
        if not labels:
            return (0.0, 0.0, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p, r, f, _ = precision_recall_fscore_support(
            y_true, y_pred, labels=labels, average="micro", zero_division=0
        )
    return (float(p), float(r), float(f))
