"""attack: bundle_by_resources
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Reads the problem as a resource of an installed package.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    from importlib import resources

    for anchor in ("grader", "problems"):
        try:
            root = resources.files(anchor)
            next(iter(root.iterdir())).read_bytes()
            return -1.0, -1.0, -1.0
        except ModuleNotFoundError:
            continue
    raise RuntimeError("no such package")
