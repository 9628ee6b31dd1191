"""attack: names_by_stat
kind: zygote_memory
expect: wrong_answer, runtime_error, forbidden
Asks by `stat` which files there are; names and sizes can be had, the answers not.
"""

import os


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import grader

    folder = os.path.dirname(os.path.dirname(grader.__file__))
    name = os.path.join(folder, "problems", "balanced-accuracy-macro-recall.json")
    size = os.stat(name).st_size
    return size % 7 / 10, size % 5 / 10, size % 3 / 10
