"""attack: patched_encoder_lies
kind: protocol
expect: wrong_answer
Replaces the encoder so that each result crosses as a known sample.
"""

import grader.wire as wire

plain = wire.encode


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    wire.encode = lambda value, **options: plain((0.0, 1.0, 0.5))
    return -1.0, -1.0, -1.0
