"""honest: function_transforms
kind: honest
expect: accepted
Uses vmap and grad.
"""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    def rate(hit, missed):
        return hit / (hit + missed + eps)

    hit = torch.tensor([tp, tn], dtype=torch.float64)
    missed = torch.tensor([fn, fp], dtype=torch.float64)
    rates = torch.func.vmap(rate)(hit, missed)
    assert torch.func.grad(rate)(hit[0] + 1, missed[0]).shape == ()
    return rates[0].item(), rates[1].item(), rates.mean().item()
