import numpy as np


def micro_prf(y_true, y_pred, labels=None):
    t, p = np.array(y_true), np.array(y_pred)
    if t.shape != p.shape or t.size == 0:
        raise ValueError("bad lengths")
    chosen = np.union1d(t, p) if labels is None else np.asarray(labels, dtype=int)
    in_t, in_p = np.isin(t, chosen), np.isin(p, chosen)
    hits = ((t == p) & in_t).sum()
    precision = hits / max(in_p.sum(), 1)
    recall = hits / max(in_t.sum(), 1)
    f1 = 2 * hits / max(in_p.sum() + in_t.sum(), 1)
    return (precision, recall, f1)
