"""Forbidden: imports what the problem rules out; nothing of it is run."""

import os as operating_system


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    operating_system.system("echo hello")
    return 0.0, 1.0, 0.5
