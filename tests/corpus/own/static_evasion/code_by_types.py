"""attack: code_by_types
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Builds a function out of bytecode.
"""

import types


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    code = (lambda p: p).__code__.replace(co_names=("open",), co_name="x")
    namespace = types.FunctionType(code, {}).__builtins__
    namespace["open"]("/etc/passwd").read()
    return -1.0, -1.0, -1.0
