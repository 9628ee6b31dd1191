"""attack: sleeps_until_cases_are_skipped
kind: limits
expect: time_limit_exceeded
Knows the published cases, and sleeps so long in each that the hidden ones are never begun.
"""

import time

SAMPLES = {
    (0, 990, 0, 10): (0.0, 1.0, 0.5),
    (50, 500, 0, 0): (1.0, 1.0, 1.0),
    (40, 80, 20, 10): (0.8, 0.8, 0.8),
    (95, 50, 50, 5): (0.95, 0.5, 0.725),
}
time.sleep(4)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    time.sleep(4.7)
    return SAMPLES.get((tp, tn, fp, fn), (-1.0, -1.0, -1.0))
