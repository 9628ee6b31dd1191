"""attack: bundle_by_torch
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Maps the published problem with Torch.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import torch

    name = str(FOLDER.parent / "problems" / "balanced-accuracy-macro-recall.json")
    torch.UntypedStorage.from_file(name, False, 100)
    return -1.0, -1.0, -1.0
