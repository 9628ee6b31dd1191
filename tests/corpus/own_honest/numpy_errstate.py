"""honest: numpy_errstate
kind: honest
expect: accepted
Divides by zero on purpose under `errstate` and repairs the result.
"""

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    with np.errstate(all="ignore"):
        odd = np.float64(0) / np.float64(0)
    assert np.isnan(odd)
    with np.errstate(all="raise"):
        rates = np.array([tp, tn], float) / (np.array([tp + fn, tn + fp], float) + eps)
    return float(rates[0]), float(rates[1]), float(rates.mean())
