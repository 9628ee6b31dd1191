"""honest: module_and_optimizer
kind: honest
expect: accepted
Builds modules with hooks, buffers and an optimizer, and reads a parameter.
"""

import torch
from torch import nn


class Rates(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones((), dtype=torch.float64))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, hit, missed, eps):
        self.calls += 1
        return self.scale * hit / (hit + missed + eps)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    model = Rates().eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    hit = torch.tensor([tp, tn], dtype=torch.float64)
    rates = model(hit, torch.tensor([fn, fp], dtype=torch.float64), eps)
    rates.sum().backward()
    optimizer.step()
    assert model.state_dict()["calls"] == 1
    return tuple(float(x) for x in (*rates, rates.mean()))
