"""attack: hook_at_exit_works_on
kind: limits
expect: runtime_error, time_limit_exceeded, forbidden
Ends the interpreter with an exit hook that never ends.
"""

import atexit


@atexit.register
def forever():
    while True:
        pass


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    raise SystemExit(0)
