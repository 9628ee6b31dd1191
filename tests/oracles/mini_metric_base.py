"""The same subclasses over torchmetrics.Metric."""

import copy
import warnings

import torch
from torchmetrics import Metric


class Sum(Metric):
    full_state_update = False

    def __init__(self, states):
        super().__init__()
        for name, default, reduce in states:
            # torchmetrics takes the given tensor itself for its first state.
            self.add_state(name, copy.deepcopy(default), dist_reduce_fx=reduce)

    def update(self, x, weight=1.0):
        self.value = self.value + x.sum()

    def compute(self):
        return self.value.clone()


class InPlace(Sum):
    def update(self, x, weight=1.0):
        self.value += x.sum()


class Cat(Sum):
    def update(self, x, weight=1.0):
        self.value.append(x)

    def compute(self):
        return torch.cat([torch.zeros(0, dtype=torch.float64), *self.value])


class Max(Sum):
    def update(self, x, weight=1.0):
        self.value = torch.max(self.value, x.max())


class Mean(Sum):
    def update(self, x, weight=1.0):
        self.total = self.total + weight * x.sum()
        self.count = self.count + weight * x.numel()

    def compute(self):
        return self.total / self.count


class Range(Sum):
    def update(self, x, weight=1.0):
        self.low = torch.min(self.low, x.min())
        self.high = torch.max(self.high, x.max())

    def compute(self):
        return torch.stack([self.low, self.high])


KINDS = {"sum": Sum, "inplace": InPlace, "cat": Cat, "max": Max, "mean": Mean, "range": Range}


def told(kind, value):
    """Return a value as plain data; torchmetrics squeezes a single element out of its list."""
    return value.reshape(-1).tolist() if kind == "cat" else value.tolist()


def merged(own, other):
    """Return own merged with other; merge_state puts the incoming list first, so own comes in."""
    result = copy.deepcopy(other)
    result.merge_state(own)
    result._computed = None
    return result


def oracle(kind, states, script):
    """Return what probe returns, for scripts without declarations and counts of runs."""
    metrics = {name: KINDS[kind](states) for name in "abc"}
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for act, name, *args in script:
            metric = metrics[name]
            if act == "update":
                metric.update(args[0], **args[1])
            elif act == "call":
                results.append(told(kind, metric(args[0], **args[1])))
            elif act == "compute":
                results.append(told(kind, metric.compute()))
            elif act == "reset":
                metric.reset()
            elif act == "merge":
                metrics[name] = merged(metric, metrics[args[0]])
            elif act == "state":
                values = [getattr(metric, state[0]) for state in states]
                results.append(
                    [[p.tolist() for p in v] if isinstance(v, list) else v.tolist() for v in values]
                )
    return results
