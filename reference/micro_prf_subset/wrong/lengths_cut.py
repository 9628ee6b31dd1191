"""Trap: unequal lengths are cut to the shorter.

Verdict: wrong_answer.
"""


def ratio(a, b):
    return a / b if b else 0.0


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) == 0 or len(y_pred) == 0:
        raise ValueError("no samples")
    y_pred, y_true = y_pred[: len(y_true)], y_true[: len(y_pred)]
    t, p = [int(v) for v in y_true], [int(v) for v in y_pred]
    chosen = set(t + p) if labels is None else {int(v) for v in labels}
    hits = sum(a == b and a in chosen for a, b in zip(t, p))
    predicted = sum(b in chosen for b in p)
    actual = sum(a in chosen for a in t)
    return (ratio(hits, predicted), ratio(hits, actual), ratio(2 * hits, predicted + actual))
