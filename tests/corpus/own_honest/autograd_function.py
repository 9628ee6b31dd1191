"""honest: autograd_function
kind: honest
expect: accepted
Divides in an autograd function of its own and differentiates it.
"""

import torch


class Ratio(torch.autograd.Function):
    @staticmethod
    def forward(ctx, top, bottom):
        ctx.save_for_backward(top, bottom)
        return top / bottom

    @staticmethod
    def backward(ctx, grad):
        top, bottom = ctx.saved_tensors
        return grad / bottom, -grad * top / bottom**2


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    top = torch.tensor([tp, tn], dtype=torch.float64, requires_grad=True)
    rates = Ratio.apply(top, torch.tensor([tp + fn + eps, tn + fp + eps], dtype=torch.float64))
    rates.sum().backward()
    assert top.grad is not None
    return rates[0].item(), rates[1].item(), rates.mean().item()
