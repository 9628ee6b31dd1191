"""Trap: samples predicted as other classes are dropped first, which loses misses.

Verdict: wrong_answer.
"""


def ratio(a, b):
    return a / b if b else 0.0


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise ValueError("bad lengths")
    t, p = [int(v) for v in y_true], [int(v) for v in y_pred]
    chosen = set(t + p) if labels is None else {int(v) for v in labels}
    kept = [(a, b) for a, b in zip(t, p) if b in chosen]
    hits = sum(a == b for a, b in kept)
    actual = sum(a in chosen for a, _ in kept)
    return (ratio(hits, len(kept)), ratio(hits, actual), ratio(2 * hits, len(kept) + actual))
