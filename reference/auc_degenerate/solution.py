import numpy as np


def auc_safe(y_true: list, score: list, degenerate: str = "nan") -> float:
    """Return the area under the ROC curve, with a chosen policy where it is undefined.

    Raises:
        ValueError: unknown policy, unequal lengths, bad labels, a NaN score, or one class under
            the policy "raise".

    Source: definition (share of positive-negative pairs won, ties one half).
    """
    if degenerate not in ("nan", "half", "raise"):
        raise ValueError("unknown policy")
    if len(y_true) != len(score):
        raise ValueError("length mismatch")
    labels = np.asarray(y_true)
    scores = np.asarray(score, dtype=np.float64)
    if not np.all((labels == 0) | (labels == 1)):
        raise ValueError("labels must be 0 or 1")
    if np.isnan(scores).any():
        raise ValueError("NaN score")
    pos, neg = scores[labels == 1], scores[labels == 0]
    if pos.size == 0 or neg.size == 0:
        if degenerate == "raise":
            raise ValueError("AUC undefined: one class")
        return 0.5 if degenerate == "half" else float("nan")
    won = (pos[:, None] > neg).sum() + 0.5 * (pos[:, None] == neg).sum()
    return float(won / (pos.size * neg.size))
