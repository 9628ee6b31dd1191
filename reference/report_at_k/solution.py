from collections import Counter


def report_at_k(y_true: list, y_pred: list, k: int, digs: int = 2) -> str:
    """Return the report at k as text: header, labels, macro and weighted averages.

    Raises:
        ValueError: k below 1, no samples, or unequal lengths.

    Source: definition; layout after precision_recall_fscore_k of seed 004.
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
    labels = sorted(support.keys() | predicted.keys())
    rows = [
        (
            _ratio(hits[c], predicted[c]),
            _ratio(hits[c], support[c]),
            _ratio(2 * hits[c], predicted[c] + support[c]),
        )
        for c in labels
    ]
    count = len(y_true)
    macro = [sum(column) / len(labels) for column in zip(*rows)]
    weighted = [
        sum(support[c] * value for c, value in zip(labels, column)) / count
        for column in zip(*rows)
    ]

    def line(name: object, values: object, total: int) -> str:
        return "\t".join([str(name), *(f"{value:.{digs}f}" for value in values), str(total)])

    lines = ["\t".join(["", f"precision@{k}", f"recall@{k}", f"f1_score@{k}", "support"])]
    lines += [line(c, row, support[c]) for c, row in zip(labels, rows)]
    lines += [line("macro avg", macro, count), line("weighted avg", weighted, count)]
    return "\n".join(lines)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
