"""attack: threads_take_turns
kind: limits
expect: time_limit_exceeded
Forty threads that each work a little and sleep a little, for ever.
"""

import threading
import time


def turns():
    while True:
        sum(range(100_000))
        time.sleep(0.001)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if tp:
        return -1.0, -1.0, -1.0
    workers = [threading.Thread(target=turns, daemon=True) for _ in range(40)]
    for worker in workers:
        worker.start()
    workers[0].join()
    return -1.0, -1.0, -1.0
