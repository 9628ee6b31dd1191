import torch
torch.set_default_device('cpu')
def f(x):
    with torch.no_grad():
        e = x.exp()
    return e / e.sum(-1, keepdim=True)
