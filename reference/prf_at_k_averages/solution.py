from collections import Counter


def prf_at_k_averages(y_true: list, y_pred: list, k: int) -> dict[str, tuple[float, float, float]]:
    """Return macro and weighted averages of precision, recall and F1 at k.

    Raises:
        ValueError: k below 1, no samples, or unequal lengths.

    Source: definition (plain mean over labels; mean weighted by the true counts).
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
    labels = support.keys() | predicted.keys()
    columns = (
        [_ratio(hits[c], predicted[c]) for c in labels],
        [_ratio(hits[c], support[c]) for c in labels],
        [_ratio(2 * hits[c], predicted[c] + support[c]) for c in labels],
    )
    return {
        "macro": tuple(sum(column) / len(labels) for column in columns),
        "weighted": tuple(
            sum(support[c] * value for c, value in zip(labels, column)) / len(y_true)
            for column in columns
        ),
    }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
