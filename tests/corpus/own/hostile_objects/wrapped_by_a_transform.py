"""attack: wrapped_by_a_transform
kind: hostile_objects
expect: wrong_answer, runtime_error, security_violation
Tensors that escape from a function transform, and fakes without values.
"""

import torch

kept = []


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    torch.func.vmap(lambda x: kept.append(x) or x)(torch.zeros(3))
    torch.func.grad(lambda x: kept.append(x) or x)(torch.tensor(0.0))
    from torch._subclasses import FakeTensorMode

    with FakeTensorMode():
        kept.append(torch.zeros(3))
    return tuple(kept[-3:])
