"""honest: sleeps_a_little
kind: honest
expect: accepted
Sleeps and works in every case, within the limits.
"""

import time


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    time.sleep(0.2)
    end = time.process_time() + 0.1
    while time.process_time() < end:
        sum(range(1000))
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
