"""Torch: count each class at each distinct score, then add up from the top."""

import torch


def roc_points(y_true, score):
    truth = torch.as_tensor(y_true).bool()
    scores = torch.as_tensor(score, dtype=torch.float64)
    if truth.numel() == 0 or truth.shape != scores.shape:
        raise ValueError("lengths")
    values, place = torch.unique(scores, return_inverse=True)
    curves = []
    for members in (~truth, truth):
        counts = torch.bincount(place[members], minlength=len(values)).flip(0)
        steps = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
        curves.append((steps.double() / members.sum()).tolist())
    return curves[0], curves[1], [float("inf")] + values.flip(0).tolist()
