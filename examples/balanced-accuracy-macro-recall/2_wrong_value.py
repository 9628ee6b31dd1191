"""Wrong in value: precision where recall was asked for."""


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    precision = tp / (tp + fp + eps)
    tnr = tn / (tn + fp + eps)
    print("precision is", precision)
    return precision, tnr, (precision + tnr) / 2
