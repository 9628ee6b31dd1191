"""attack: bundle_by_numpy
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Reads the published problem with NumPy.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import numpy as np

    np.fromfile(str(FOLDER.parent / "problems" / "balanced-accuracy-macro-recall.json"), dtype="u1")
    return -1.0, -1.0, -1.0
