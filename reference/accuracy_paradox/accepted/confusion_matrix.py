"""Torch: everything from a 2 by 2 confusion matrix."""

import torch


def accuracy_paradox(y_true, y_pred):
    truth = torch.as_tensor(y_true, dtype=torch.float64)
    guess = torch.as_tensor(y_pred, dtype=torch.float64)
    if truth.numel() == 0 or truth.shape != guess.shape:
        raise ValueError("lengths")
    for labels in (truth, guess):
        if not ((labels == 0) | (labels == 1)).all():
            raise ValueError("labels")
    cells = torch.bincount((2 * truth + guess).long(), minlength=4).reshape(2, 2)
    sizes = cells.sum(1)
    recalls = cells.diagonal().double() / sizes
    right = cells.diagonal().sum()
    return {
        "accuracy": (right.double() / truth.numel()).item(),
        "majority_rate": (sizes.max().double() / truth.numel()).item(),
        "recall_neg": recalls[0].item(),
        "recall_pos": recalls[1].item(),
        "balanced_accuracy": torch.nanmean(recalls),
        "beats_majority": bool(right > sizes.max()),
    }
