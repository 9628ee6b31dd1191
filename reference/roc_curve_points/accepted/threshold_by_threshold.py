"""Plain Python: every distinct score is tried as a threshold."""


def roc_points(y_true, score):
    truth, scores = [int(y) for y in y_true], [float(s) for s in score]
    if not truth or len(truth) != len(scores):
        raise ValueError("lengths")
    positives = [s for y, s in zip(truth, scores) if y]
    negatives = [s for y, s in zip(truth, scores) if not y]
    thresholds = [float("inf")] + sorted(set(scores), reverse=True)

    def share(values, thr):
        return sum(s >= thr for s in values) / len(values) if values else float("nan")

    fpr = [share(negatives, thr) for thr in thresholds]
    tpr = [share(positives, thr) for thr in thresholds]
    return fpr, tpr, thresholds
