"""attack: huge_expanded
kind: hostile_objects
expect: wrong_answer, runtime_error, output_limit_exceeded
Tensors of astronomic shape over a single element.
"""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return torch.zeros(1).expand(1 << 50), torch.zeros(1).expand(1 << 31, 1 << 31), 0.5
