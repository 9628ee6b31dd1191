"""attack: bundle_by_pkgutil
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Reads a file of the grader by its loader.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import pkgutil

    pkgutil.get_data("grader", "../problems/balanced-accuracy-macro-recall.json")
    return -1.0, -1.0, -1.0
