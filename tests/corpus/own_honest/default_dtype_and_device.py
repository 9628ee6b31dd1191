"""honest: default_dtype_and_device
kind: honest
expect: accepted
Sets the default dtype and the default device for all that follows.
"""

import torch

torch.set_default_dtype(torch.float64)
torch.set_default_device("cpu")


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    hit, all_of = torch.tensor([tp, tn]), torch.tensor([tp + fn, tn + fp])
    rates = hit / (all_of + eps)
    return rates[0].item(), rates[1].item(), rates.mean().item()
