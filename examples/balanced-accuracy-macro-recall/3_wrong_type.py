"""Wrong in type: a tensor where a tuple of floats was asked for."""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return torch.tensor([tpr, tnr, (tpr + tnr) / 2])
