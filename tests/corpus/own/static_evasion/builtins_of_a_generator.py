"""attack: builtins_of_a_generator
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Takes `open` from the builtins of a running frame.
"""

def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    frame = (lambda: (yield))().gi_frame
    getattr(frame, "f_" + "builtins")["op" + "en"]("/etc/passwd").read()
    return -1.0, -1.0, -1.0
