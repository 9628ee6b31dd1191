"""Both rates in one tensor operation."""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    hits = torch.tensor([tp, tn], dtype=torch.float64)
    totals = torch.tensor([tp + fn, tn + fp], dtype=torch.float64)
    tpr, tnr = (hits / (totals + eps)).tolist()
    return tpr, tnr, 0.5 * (tpr + tnr)
