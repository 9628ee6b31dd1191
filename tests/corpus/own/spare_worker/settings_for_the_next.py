"""attack: settings_for_the_next
kind: spare_worker
expect: runtime_error
Leaves a half-precision default and silenced errors to the next worker.
"""

import numpy as np
import torch

LEFT = torch.get_default_dtype() is torch.float16 or np.geterr()["over"] == "raise"
torch.set_default_dtype(torch.float16)
np.seterr(all="raise")


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if LEFT:
        return -1.0, -1.0, -1.0
    raise RuntimeError("nothing was left")
