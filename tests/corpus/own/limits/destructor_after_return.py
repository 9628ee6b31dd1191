"""attack: destructor_after_return
kind: limits
expect: time_limit_exceeded
The result is dropped by the worker, and its destructor then works for ever.
"""

class Heavy(tuple):
    def __del__(self):
        while True:
            pass


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return Heavy((-1.0, -1.0, -1.0)) if tp == 0 else (-1.0, -1.0, -1.0)
