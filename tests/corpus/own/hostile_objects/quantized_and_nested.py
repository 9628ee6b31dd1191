"""attack: quantized_and_nested
kind: hostile_objects
expect: wrong_answer, runtime_error
Quantized, nested and jagged tensors.
"""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return (
        torch.quantize_per_tensor(torch.zeros(3), 0.1, 0, torch.qint8),
        torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
        torch.zeros(3, dtype=torch.complex64).conj(),
    )
