"""attack: lock_never_released
kind: hostile_objects
expect: time_limit_exceeded
Takes the lock under which the worker writes.
"""

import gc

import grader.sandbox.inside.worker as inside

next(o for o in gc.get_objects() if type(o) is inside._Worker and o._channel > 2).writing.acquire()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
