from collections import Counter


def prf_at_k(y_true: list, y_pred: list, k: int) -> list[tuple[int, float, float, float, int]]:
    """Return (label, precision, recall, f1, support) at k, by ascending label.

    Raises:
        ValueError: k below 1, no samples, or unequal lengths.

    Source: definition (a label is predicted for a sample if the first k of its list hold it).
    """
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("k must be positive, y_true and y_pred non-empty and of equal length")
    support: Counter[int] = Counter()
    predicted: Counter[int] = Counter()
    hits: Counter[int] = Counter()
    for label, ranked in zip(y_true, y_pred):
        first = {int(other) for other in ranked[:k]}
        support[int(label)] += 1
        predicted.update(first)
        if int(label) in first:
            hits[int(label)] += 1
    return [
        (
            c,
            _ratio(hits[c], predicted[c]),
            _ratio(hits[c], support[c]),
            _ratio(2 * hits[c], predicted[c] + support[c]),
            support[c],
        )
        for c in sorted(support.keys() | predicted.keys())
    ]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
