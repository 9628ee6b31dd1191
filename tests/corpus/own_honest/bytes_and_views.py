"""honest: bytes_and_views
kind: honest
expect: accepted
Packs the counts with struct, array and memoryview.
"""

import array
import struct


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    packed = struct.pack("<4d", tp, tn, fp, fn)
    view = memoryview(bytearray(packed)).cast("d")
    tp, tn, fp, fn = array.array("d", view.tolist())
    tpr = tp / (tp + fn + eps)
    tnr = tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
