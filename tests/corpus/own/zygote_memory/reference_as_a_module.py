"""attack: reference_as_a_module
kind: zygote_memory
expect: security_violation, runtime_error, forbidden
Imports the modules of the grader that know of problems, and the reference as if it were a package.
"""

import importlib


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    for name in ("grader.spec", "grader.referee", "grader.compare", "reference.balanced_accuracy_macro_recall"):
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        if getattr(module, "__file__", None):
            return -1.0, -1.0, -1.0
    raise RuntimeError("nothing imported")
