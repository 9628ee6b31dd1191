from collections import Counter


def micro_prf(y_true, y_pred, labels=None):
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise ValueError("bad lengths")
    pairs = Counter((int(t), int(p)) for t, p in zip(y_true, y_pred))
    if labels is None:
        chosen = {label for pair in pairs for label in pair}
    else:
        chosen = set(map(int, labels))
    tp = fp = fn = 0
    for c in chosen:
        tp += pairs[c, c]
        fp += sum(n for (t, p), n in pairs.items() if p == c and t != c)
        fn += sum(n for (t, p), n in pairs.items() if t == c and p != c)
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    f1 = 2 * precision * recall / (precision + recall) if tp else 0.0
    return precision, recall, f1
