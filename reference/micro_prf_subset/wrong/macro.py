"""Trap: the ratios of the classes are averaged.

Verdict: wrong_answer.
"""


def ratio(a, b):
    return a / b if b else 0.0


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise ValueError("bad lengths")
    t, p = [int(v) for v in y_true], [int(v) for v in y_pred]
    chosen = set(t + p) if labels is None else {int(v) for v in labels}
    rows = []
    for c in sorted(chosen):
        hits = sum(a == b == c for a, b in zip(t, p))
        rows.append((ratio(hits, p.count(c)), ratio(hits, t.count(c)), ratio(2 * hits, p.count(c) + t.count(c))))
    return tuple(sum(column) / len(rows) for column in zip(*rows)) if rows else (0.0, 0.0, 0.0)
