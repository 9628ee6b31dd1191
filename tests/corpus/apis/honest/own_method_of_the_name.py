import torch
class Net:
    def softmax(self, x):
        e = x.exp()
        return e / e.sum(-1, keepdim=True)
def f(x):
    return Net().softmax(x)
