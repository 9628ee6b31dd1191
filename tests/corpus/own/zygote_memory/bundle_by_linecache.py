"""attack: bundle_by_linecache
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Reads the problem with the reader of source lines.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import linecache

    name = str(FOLDER.parent / "problems" / "balanced-accuracy-macro-recall.json")
    if linecache.getline(name, 1):
        return -1.0, -1.0, -1.0
    raise RuntimeError("nothing read")
