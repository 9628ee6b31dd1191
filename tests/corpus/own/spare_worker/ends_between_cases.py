"""attack: ends_between_cases
kind: spare_worker
expect: runtime_error, wrong_answer, forbidden
A thread ends the process a moment after each reply, while the next case is being prepared.
"""

import os
import threading


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    threading.Timer(0.002, os._exit, (9,)).start()
    return -1.0, -1.0, -1.0
