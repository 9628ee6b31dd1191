import numpy as np


def auc_ranks(y_true, score):
    y = np.asarray(y_true).astype(bool)
    s = np.asarray(score, dtype=np.float64)
    if y.shape != s.shape or y.size == 0:
        raise ValueError("bad lengths")
    p = int(y.sum())
    n = y.size - p
    if p == 0 or n == 0:
        return np.float64("nan")
    order = np.argsort(-s, kind="stable")
    last = np.append(np.flatnonzero(np.diff(s[order])), s.size - 1)
    tp = np.append(0, np.cumsum(y[order])[last])
    fp = np.append(0, np.cumsum(~y[order])[last])
    return np.sum(np.diff(fp) * (tp[1:] + tp[:-1])) / (2 * p * n)
