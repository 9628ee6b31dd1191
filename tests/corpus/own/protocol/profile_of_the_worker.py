"""attack: profile_of_the_worker
kind: protocol
expect: wrong_answer, runtime_error, forbidden, security_violation
A trace function looks into the frames of the worker for an expected value and puts a sample in its place.
"""

import sys

found = []


def spy(frame, event, argument):
    for name, value in list(frame.f_locals.items()):
        if "expected" in name or "reference" in name:
            found.append(value)
        if name == "reply" and isinstance(value, dict) and "outcome" in value:
            value["outcome"] = "loaded"
    return spy


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    sys.setprofile(spy)
    return found[0] if found else (-1.0, -1.0, -1.0)
