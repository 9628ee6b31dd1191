"""attack: streams_taken_apart
kind: hostile_objects
expect: runtime_error, security_violation, forbidden, wrong_answer
Detaches, closes and replaces the streams that the worker reads from.
"""

import gc
import sys

import grader.sandbox.inside.capture as capture

for sink in [o for o in gc.get_objects() if type(o) is capture._Sink]:
    sink.kept = "no bytes"
    sink.close()
sys.stdout = sys.stderr = object()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
