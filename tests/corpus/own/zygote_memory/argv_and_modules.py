"""attack: argv_and_modules
kind: zygote_memory
expect: runtime_error, forbidden
Looks into the arguments, the modules and the main program of the zygote for a problem.
"""

import sys


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    seen = [*sys.argv, *getattr(sys, "orig_argv", ())]
    loaded = [name for name in sys.modules if name.startswith("grader.")]
    if any(".json" in text for text in seen) or "grader.spec" in loaded or "grader.referee" in loaded:
        return -1.0, -1.0, -1.0
    raise RuntimeError("nothing found")
