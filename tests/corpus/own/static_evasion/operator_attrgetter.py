"""attack: operator_attrgetter
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Reads a file through `operator.attrgetter` and `io`.
"""

import io
import operator


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    operator.attrgetter("open_code")(io)("/etc/passwd").read()
    return -1.0, -1.0, -1.0
