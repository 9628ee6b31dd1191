import numpy as np


def report_at_k(y_true, y_pred, k, digs=2):
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad arguments")
    truth = np.asarray(y_true)
    parts = [np.asarray(row[:k], dtype=np.int64) for row in y_pred]
    labels = np.unique(np.concatenate([truth, *parts]))
    is_true = truth[:, None] == labels
    is_called = np.stack([np.isin(labels, part) for part in parts])
    tp = (is_true & is_called).sum(0)
    called, support = is_called.sum(0), is_true.sum(0)
    table = np.stack([tp / np.maximum(called, 1), tp / np.maximum(support, 1), 2 * tp / (called + support)], 1)
    names = [*labels.tolist(), "macro avg", "weighted avg"]
    table = np.vstack([table, table.mean(0), support @ table / len(truth)])
    last = [*support.tolist(), len(truth), len(truth)]
    head = "\t" + "\t".join(f"{name}@{k}" for name in ("precision", "recall", "f1_score")) + "\tsupport"
    body = ["%s\t%.*f\t%.*f\t%.*f\t%d" % (name, digs, p, digs, r, digs, f, s)
            for name, (p, r, f), s in zip(names, table, last)]
    return "\n".join([head] + body)
