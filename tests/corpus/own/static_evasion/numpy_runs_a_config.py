"""attack: numpy_runs_a_config
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Has NumPy start a compiler.
"""

def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    import numpy.testing as testing

    testing.runstring("open('/etc/passwd').read()", {})
    return -1.0, -1.0, -1.0
