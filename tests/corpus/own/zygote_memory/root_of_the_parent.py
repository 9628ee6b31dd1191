"""attack: root_of_the_parent
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Reads the files of the grader through the root folder of the parent process.
"""

from pathlib import PurePath

import grader

FOLDER = PurePath(grader.__file__).parent


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import posix

    posix.open(f"/proc/{posix.getppid()}/root/etc/passwd", posix.O_RDONLY)
    return -1.0, -1.0, -1.0
