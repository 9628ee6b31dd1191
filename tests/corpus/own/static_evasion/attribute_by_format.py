"""attack: attribute_by_format
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Reaches the globals of a function through a format string.
"""

import json


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    reach = "{0.__globals__[codecs].open}"
    if "function" not in reach.format(json.loads):
        raise RuntimeError("nothing reached")
    getattr(json.loads, "__glo" + "bals__")["codecs"].open("/etc/passwd").read()
    return -1.0, -1.0, -1.0
