"""Trap: without a subset, only classes of the truth are pooled.

Verdict: wrong_answer.
"""


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise ValueError("bad lengths")
    t, p = [int(v) for v in y_true], [int(v) for v in y_pred]
    chosen = set(t) if labels is None else {int(v) for v in labels}
    hits = sum(a == b and a in chosen for a, b in zip(t, p))
    predicted = sum(b in chosen for b in p)
    actual = sum(a in chosen for a in t)
    f1 = 2 * hits / (predicted + actual) if predicted + actual else 0.0
    return (hits / predicted if predicted else 0.0, hits / actual if actual else 0.0, f1)
