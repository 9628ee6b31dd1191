"""attack: shared_mappings
kind: zygote_memory
expect: runtime_error, security_violation, forbidden
Looks for memory that it shares with the zygote and could write to.
"""

def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    with open("/proc/self/maps") as maps:
        if any(" rw-s " in line for line in maps):
            return -1.0, -1.0, -1.0
    raise RuntimeError("nothing shared")
