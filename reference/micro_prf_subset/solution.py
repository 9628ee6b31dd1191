def micro_prf(y_true: list, y_pred: list, labels: list | None = None) -> tuple[float, float, float]:
    """Return micro precision, recall and F1 pooled over the chosen labels.

    Raises:
        ValueError: unequal lengths or no samples.

    Source: definition (sums of counts over the classes, 0 for 0/0).
    """
    truth = [int(label) for label in y_true]
    guess = [int(label) for label in y_pred]
    if len(truth) != len(guess) or not truth:
        raise ValueError("y_true and y_pred must be non-empty and of equal length")
    chosen = {*truth, *guess} if labels is None else {int(label) for label in labels}

    hits = sum(t == p and t in chosen for t, p in zip(truth, guess))
    predicted = sum(p in chosen for p in guess)
    actual = sum(t in chosen for t in truth)
    return (_ratio(hits, predicted), _ratio(hits, actual), _ratio(2 * hits, predicted + actual))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
