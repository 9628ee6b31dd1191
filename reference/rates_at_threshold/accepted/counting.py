"""Plain Python: the share of each class at or above the threshold."""


def rates_at_threshold(y_true, score, thr):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("lengths")
    by_class = {0: [], 1: []}
    for label, value in zip(y_true, score):
        by_class[int(label)].append(value >= thr)
    fpr, tpr = (sum(v) / len(v) if v else float("nan") for v in by_class.values())
    return fpr, tpr
