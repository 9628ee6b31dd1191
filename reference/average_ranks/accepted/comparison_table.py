import numpy as np


def average_ranks(x):
    x = np.asarray(x, dtype=np.float64)
    smaller = (x[None, :] < x[:, None]).sum(1)
    equal = (x[None, :] == x[:, None]).sum(1)
    return list(smaller + (equal + 1) / 2)
