"""Trap: as the article has it, precision and recall are rounded, then F1 is taken from them.

Verdict: wrong_answer.
"""


def prf_at_k(y_true, y_pred, k, digs=2):
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad arguments")
    truth = [int(t) for t in y_true]
    cut = [[int(v) for v in row[:k]] for row in y_pred]
    rows = []
    for c in sorted(set(truth).union(*cut)):
        support = truth.count(c)
        predicted = sum(c in row for row in cut)
        tp = sum(t == c and c in row for t, row in zip(truth, cut))
        try:
            p = round(tp / predicted, digs)
            r = round(tp / support, digs)
            f = round(2 * (p * r) / (p + r), digs)
        except ZeroDivisionError:
            p = r = f = 0.0
        rows.append((c, p, r, f, support))
    return rows
