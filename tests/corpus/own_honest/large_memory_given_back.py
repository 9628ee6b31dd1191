"""honest: large_memory_given_back
kind: honest
expect: accepted
Uses 300 MB in every case and gives it back.
"""

import numpy as np
import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    block = np.ones(20_000_000)
    other = torch.ones(15_000_000, dtype=torch.float64)
    assert block.sum() > other.sum().item()
    del block, other
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
