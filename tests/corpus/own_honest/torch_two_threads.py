"""honest: torch_two_threads
kind: honest
expect: accepted
Asks Torch for two threads and multiplies matrices.
"""

import torch

torch.set_num_threads(2)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    a = torch.randn(128, 128, dtype=torch.float64)
    assert torch.allclose((a @ a).T, a.T @ a.T)
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
