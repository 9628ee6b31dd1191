"""honest: weak_references
kind: honest
expect: accepted
Caches by weak references and finalisers.
"""

import gc
import weakref


class Rate:
    __slots__ = ("value", "__weakref__")

    def __init__(self, value):
        self.value = value


dropped = []
live = weakref.WeakValueDictionary()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    kept = live["tpr"] = Rate(tp / (tp + fn + eps))
    other = Rate(tn / (tn + fp + eps))
    weakref.finalize(other, dropped.append, 1)
    tnr = other.value
    del other
    gc.collect()
    assert dropped and "tpr" in live
    return kept.value, tnr, (kept.value + tnr) / 2
