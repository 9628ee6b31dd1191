import torch
def f(x):
    'no torch.softmax here'
    e = x.exp()
    return e / e.sum(-1, keepdim=True)
