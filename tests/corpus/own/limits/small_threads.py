"""attack: small_threads
kind: limits
expect: runtime_error, memory_limit_exceeded, time_limit_exceeded, security_violation
Starts five thousand threads of the smallest stacks in every case, so that the host runs out of thread numbers.
"""

import threading
import time

threading.stack_size(32768)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
    return -1.0, -1.0, -1.0
