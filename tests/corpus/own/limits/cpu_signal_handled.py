"""attack: cpu_signal_handled
kind: limits
expect: time_limit_exceeded, runtime_error, forbidden
Handles the signal of the CPU limit and goes on.
"""

import signal

signal.signal(signal.SIGXCPU, lambda *_: None)
while True:
    try:
        sum(range(10_000))
    except BaseException:
        pass


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
