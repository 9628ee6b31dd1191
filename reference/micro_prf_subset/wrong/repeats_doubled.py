"""Trap: a label named twice is pooled twice.

Verdict: wrong_answer.
"""


def ratio(a, b):
    return a / b if b else 0.0


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise ValueError("bad lengths")
    t, p = [int(v) for v in y_true], [int(v) for v in y_pred]
    chosen = sorted(set(t + p)) if labels is None else [int(v) for v in labels]
    hits = sum(a == b == c for a, b in zip(t, p) for c in chosen)
    predicted = sum(p.count(c) for c in chosen)
    actual = sum(t.count(c) for c in chosen)
    return (ratio(hits, predicted), ratio(hits, actual), ratio(2 * hits, predicted + actual))
