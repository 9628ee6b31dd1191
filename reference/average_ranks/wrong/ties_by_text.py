"""Trap: values tie if they print alike, so 0.0 and -0.0 do not.

Verdict: wrong_answer.
"""


def average_ranks(x):
    keys = sorted(((float(a), repr(float(a))) for a in x), key=lambda p: (p[0], p[1]))
    texts = [text for _, text in keys]
    return [texts.index(repr(float(a))) + (texts.count(repr(float(a))) + 1) / 2 for a in x]
