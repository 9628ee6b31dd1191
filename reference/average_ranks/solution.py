import numpy as np


def average_ranks(x: list) -> list[float]:
    """Return the ascending ranks of x from 1, ties averaged, in the original order.

    A run of equal values that ends at place S and has length E has rank S - (E - 1) / 2.

    Source: definition (mid-ranks).
    """
    _, run, size = np.unique(np.asarray(x), return_inverse=True, return_counts=True)
    last_place = np.cumsum(size)
    return (last_place - (size - 1) / 2)[run].tolist()
