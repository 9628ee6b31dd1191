"""Torch: the mean of the signs of all comparisons, moved from -1..1 to 0..1."""

import torch


def auc_pairs(y_true, score):
    truth = torch.as_tensor(y_true)
    scores = torch.as_tensor(score, dtype=torch.float64)
    if truth.numel() == 0 or truth.shape != scores.shape:
        raise ValueError("lengths")
    table = scores[truth == 1, None] - scores[truth == 0]
    return (torch.sign(table).mean() + 1) / 2
