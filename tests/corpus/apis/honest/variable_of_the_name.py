import torch
def f(x):
    softmax = x.exp()
    layer_norm = softmax.sum(-1, keepdim=True)
    return softmax / layer_norm
