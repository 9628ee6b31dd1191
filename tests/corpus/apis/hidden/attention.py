import torch
def f(x):
    y = x[None]
    return torch.nn.functional.scaled_dot_product_attention(y, y, y)[0]
