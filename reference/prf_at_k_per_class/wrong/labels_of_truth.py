"""Trap: labels that are only predicted get no row.

Verdict: wrong_answer.
"""


def prf_at_k(y_true, y_pred, k):
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad arguments")
    truth = [int(t) for t in y_true]
    whole = [[int(v) for v in row] for row in y_pred]
    cut = [row[:k] for row in whole]
    labels = set(truth)
    rows = []
    for c in sorted(labels):
        support = truth.count(c)
        predicted = sum(c in row for row in cut)
        tp = sum(t == c and c in row for t, row in zip(truth, cut))
        p = tp / predicted if predicted else 0.0
        r = tp / support if support else 0.0
        f = 2 * p * r / (p + r) if p + r else 0.0
        rows.append((c, p, r, f, support))
    return rows
