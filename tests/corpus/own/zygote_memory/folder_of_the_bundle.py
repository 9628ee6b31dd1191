"""attack: folder_of_the_bundle
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Lists the folders above the grader.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import posix

    for folder in (FOLDER, FOLDER.parent, FOLDER.parent / "problems"):
        posix.listdir(str(folder))
        return -1.0, -1.0, -1.0
