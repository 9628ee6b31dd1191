"""attack: signals_ignored
kind: raw_syscalls
expect: wrong_answer, runtime_error, forbidden
Ignores every signal that can be ignored.
"""

import signal

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return -1.0, -1.0, -1.0
