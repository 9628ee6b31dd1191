"""Right: both rates, eps in the denominator."""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
