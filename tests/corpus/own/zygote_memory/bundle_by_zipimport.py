"""attack: bundle_by_zipimport
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Opens the problem as an archive.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import zipfile

    name = str(FOLDER.parent / "problems" / "balanced-accuracy-macro-recall.json")
    try:
        zipfile.ZipFile(name)
    except zipfile.BadZipFile:
        pass
    return -1.0, -1.0, -1.0
