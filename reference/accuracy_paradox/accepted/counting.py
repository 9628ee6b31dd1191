"""Plain Python: one pass over the pairs with a counter."""

from collections import Counter


def accuracy_paradox(y_true, y_pred):
    truth, guess = list(y_true), list(y_pred)
    if not truth or len(truth) != len(guess):
        raise ValueError("lengths")
    cells = Counter((int(t), int(p)) for t, p in zip(truth, guess))
    if not set(cells) <= {(0, 0), (0, 1), (1, 0), (1, 1)}:
        raise ValueError("labels")
    neg = cells[0, 0] + cells[0, 1]
    pos = cells[1, 0] + cells[1, 1]
    right = cells[0, 0] + cells[1, 1]
    recall_neg = cells[0, 0] / neg if neg else float("nan")
    recall_pos = cells[1, 1] / pos if pos else float("nan")
    if not neg:
        balanced = recall_pos
    elif not pos:
        balanced = recall_neg
    else:
        balanced = (recall_neg + recall_pos) / 2
    return {
        "accuracy": right / len(truth),
        "majority_rate": max(neg, pos) / len(truth),
        "recall_neg": recall_neg,
        "recall_pos": recall_pos,
        "balanced_accuracy": balanced,
        "beats_majority": right > max(neg, pos),
    }
