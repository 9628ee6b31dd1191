import warnings

from sklearn.metrics import confusion_matrix


def oracle(y_true, y_pred, num_classes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a single label seen, though labels are given
        return confusion_matrix(y_true, y_pred, labels=list(range(num_classes))).tolist()
