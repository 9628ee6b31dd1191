"""Reading a file: no forbidden word in it, so the sandbox stops it."""

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    secrets = np.fromfile("/etc/passwd", dtype=np.uint8)
    return float(secrets[0]), 1.0, 0.5
