import numpy as np


def prf_at_k_averages(y_true, y_pred, k):
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad arguments")
    truth = np.asarray(y_true)
    parts = [np.asarray(row[:k], dtype=np.int64) for row in y_pred]
    labels = np.unique(np.concatenate([truth, *parts]))
    is_true = truth[:, None] == labels
    is_called = np.stack([np.isin(labels, part) for part in parts])
    tp = (is_true & is_called).sum(0)
    called, support = is_called.sum(0), is_true.sum(0)
    table = np.stack([tp / np.maximum(called, 1), tp / np.maximum(support, 1), 2 * tp / (called + support)])
    return {"macro": tuple(table.mean(1)), "weighted": tuple(np.average(table, axis=1, weights=support))}
