from sklearn.metrics import roc_auc_score


def oracle(y_true, score):
    if len({int(v) for v in y_true}) < 2:
        return float("nan")
    return float(roc_auc_score(y_true, score))
