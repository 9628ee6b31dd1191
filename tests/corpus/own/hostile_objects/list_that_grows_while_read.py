"""attack: list_that_grows_while_read
kind: hostile_objects
expect: wrong_answer, runtime_error, time_limit_exceeded
A list that a thread makes longer and shorter while it is sent.
"""

import threading

ROW = [0.0] * 1000


def change():
    while True:
        ROW.extend([0.0] * 1000)
        del ROW[3:]


threading.Thread(target=change, daemon=True).start()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return ROW
