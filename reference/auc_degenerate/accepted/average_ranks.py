import numpy as np


def auc_safe(y_true, score, degenerate="nan"):
    if degenerate not in ("nan", "half", "raise"):
        raise ValueError("unknown policy")
    if len(y_true) != len(score):
        raise ValueError("length mismatch")
    y = np.array(y_true, dtype=float)
    s = np.array(score, dtype=float)
    if not np.isin(y, (0.0, 1.0)).all():
        raise ValueError("labels must be 0 or 1")
    if np.isnan(s).any():
        raise ValueError("NaN score")
    p = int((y == 1).sum())
    n = len(y) - p
    if p * n == 0:
        if degenerate == "raise":
            raise ValueError("AUC undefined: one class")
        return np.float64(0.5 if degenerate == "half" else "nan")
    _, run, size = np.unique(s, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(size) - (size - 1) / 2)[run]
    return (ranks[y == 1].sum() - p * (p + 1) / 2) / (p * n)
