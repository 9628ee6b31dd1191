"""honest: platform_and_dates
kind: honest
expect: accepted
Asks for the version of Python, the time and the date.
"""

import datetime
import platform
import time


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    assert platform.python_version().startswith("3")
    assert datetime.datetime.now(datetime.timezone.utc).year >= 2000
    began = time.perf_counter()
    assert time.perf_counter() >= began
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
