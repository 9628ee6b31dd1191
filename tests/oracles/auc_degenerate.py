import numpy as np
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_auc_score


def oracle(y_true, score, degenerate="nan"):
    y, s = np.asarray(y_true), np.asarray(score, dtype=float)
    if len(set(y.tolist())) < 2:
        return {"nan": float("nan"), "half": 0.5}[degenerate]
    if np.isinf(s).any():
        pos, neg = s[y == 1], s[y == 0]
        won = mannwhitneyu(pos, neg, method="asymptotic").statistic
        return float(won / (len(pos) * len(neg)))
    return float(roc_auc_score(y, s))
