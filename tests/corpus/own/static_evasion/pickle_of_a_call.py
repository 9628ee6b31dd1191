"""attack: pickle_of_a_call
kind: static_evasion
expect: security_violation, runtime_error, forbidden
Lets pickle call `os.system`.
"""

import pickle


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    if pickle.loads(b"cposix\nsystem\n(S'true'\ntR.") != 0:
        raise RuntimeError("refused")
    return -1.0, -1.0, -1.0
