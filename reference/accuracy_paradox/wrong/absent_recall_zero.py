"""Trap: an absent class has recall 0 and still halves the mean.

Verdict: wrong_answer.
"""


def accuracy_paradox(y_true, y_pred):
    if len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad lengths")
    pairs = [(int(t), int(p)) for t, p in zip(y_true, y_pred)]
    if any(v not in (0, 1) for pair in pairs for v in pair):
        raise ValueError("labels must be 0 or 1")
    n = len(pairs)
    sizes = [sum(t == c for t, _ in pairs) for c in (0, 1)]
    hits = [sum(t == p == c for t, p in pairs) for c in (0, 1)]
    recalls = [h / s if s else 0.0 for h, s in zip(hits, sizes)]
    return {
        "accuracy": sum(hits) / n,
        "majority_rate": max(sizes) / n,
        "recall_neg": recalls[0],
        "recall_pos": recalls[1],
        "balanced_accuracy": sum(recalls) / 2,
        "beats_majority": sum(hits) > max(sizes),
    }
