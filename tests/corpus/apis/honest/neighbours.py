import torch
def f(x):
    return torch.exp(x - torch.logsumexp(x, -1, keepdim=True))
