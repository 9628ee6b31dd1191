"""Too slow: counts the false positives by walking through all their subsets."""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    subsets = 0
    while subsets < 2**fp:
        subsets += 1
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
