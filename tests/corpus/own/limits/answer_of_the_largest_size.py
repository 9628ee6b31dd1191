"""attack: answer_of_the_largest_size
kind: limits
expect: wrong_answer, memory_limit_exceeded
Returns 200 MiB of bools in every case, each to be read and summarised.
"""

import torch


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return torch.ones(200 << 20, dtype=torch.bool), 0.5, 0.5
