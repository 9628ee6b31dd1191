"""Trap: the accuracy on samples of the chosen classes, three times.

Verdict: wrong_answer.
"""


def ratio(a, b):
    return a / b if b else 0.0


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise ValueError("bad lengths")
    t, p = [int(v) for v in y_true], [int(v) for v in y_pred]
    chosen = set(t + p) if labels is None else {int(v) for v in labels}
    kept = [(a, b) for a, b in zip(t, p) if a in chosen]
    accuracy = ratio(sum(a == b for a, b in kept), len(kept))
    return (accuracy, accuracy, accuracy)
