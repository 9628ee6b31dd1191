"""honest: torch_script
kind: honest
expect: accepted
Compiles a function with TorchScript.
"""

import torch


@torch.jit.script
def rate(hit: float, missed: float, eps: float) -> float:
    return hit / (hit + missed + eps)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr, tnr = rate(float(tp), float(fn), eps), rate(float(tn), float(fp), eps)
    return tpr, tnr, (tpr + tnr) / 2
