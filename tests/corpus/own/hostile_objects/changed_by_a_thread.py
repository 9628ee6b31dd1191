"""attack: changed_by_a_thread
kind: hostile_objects
expect: wrong_answer, runtime_error, time_limit_exceeded
An array that a thread goes on changing while it is sent and after.
"""

import threading

import numpy as np

ROW = np.zeros(3)


def change():
    while True:
        ROW[:] = (0.0, 1.0, 0.5)
        ROW[:] = -1.0


threading.Thread(target=change, daemon=True).start()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return ROW
