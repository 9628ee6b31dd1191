import torch


def average_ranks(x):
    x = torch.tensor([float(v) for v in x], dtype=torch.float64)
    ordered = x.sort().values
    smaller = torch.searchsorted(ordered, x)
    not_larger = torch.searchsorted(ordered, x, right=True)
    return ((smaller + not_larger + 1) / 2).tolist()
