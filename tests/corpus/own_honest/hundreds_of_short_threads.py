"""honest: hundreds_of_short_threads
kind: honest
expect: accepted
Starts two hundred short threads, some at the same time.
"""

import threading


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    seen = []
    for _ in range(10):
        workers = [threading.Thread(target=seen.append, args=(i,)) for i in range(20)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert len(seen) == 200
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
