"""attack: thread_spins_after_return
kind: limits
expect: time_limit_exceeded, wrong_answer
Leaves a thread that works on while the next cases are judged.
"""

import threading


def spin():
    while True:
        sum(range(10_000))


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    threading.Thread(target=spin, daemon=True).start()
    return -1.0, -1.0, -1.0
