"""Torch: the mean of the decisions of each class; the mean of nothing is nan."""

import torch


def rates_at_threshold(y_true, score, thr):
    truth = torch.as_tensor(y_true)
    scores = torch.as_tensor(score, dtype=torch.float64)
    if truth.numel() == 0 or truth.shape != scores.shape:
        raise ValueError("lengths")
    called = (scores >= thr).double()
    return called[truth == 0].mean(), called[truth == 1].mean()
