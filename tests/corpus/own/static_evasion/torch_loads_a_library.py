"""attack: torch_loads_a_library
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Has Torch load a shared library of its own choice.
"""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    torch.ops.load_library("/tmp/attack_marker.so")
    return -1.0, -1.0, -1.0
